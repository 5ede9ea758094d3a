/** An account of the test's own, and what is asked for its numbers. */
import { afterEach, beforeEach } from 'node:test';
import { readAuditLog } from '../../../../../src/accounts/audit.ts';
import { blockNumbers } from '../../../../../src/accounts/blocking/blocked-numbers.ts';
import { createKeys } from '../../../../../src/accounts/keys.ts';
import { COMMAND_LINE } from '../../../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../../../../src/core/seams/random.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import type { NewVerification } from '../../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../../src/store/port.ts';
import { HOUR, newVerification, type OpenedStore, type OpenStore, unique, withLimits } from '../../rig.ts';

export const FIRST = 'the first secret, long enough for all';
export const SECOND = 'the second secret, long enough for all';
export const THIRD = 'the third secret, long enough for all';
export const FOURTH = 'the fourth secret, long enough for all';
export const NUMBER = '+4915112345678';

export type BlockedRig = ReturnType<typeof createBlockedRig>;

/** For each test of the suite that it is called in. */
export function createBlockedRig(open: OpenStore) {
  let opened: OpenedStore;
  let store: Store;
  let accountId: string;
  const now = Date.now();
  const keyring = new Keyring(FIRST);

  beforeEach(async () => {
    opened = await open(withLimits({ requestsPerKey: [{ max: 3, windowMs: HOUR }] }));
    store = opened.store;
    accountId = await addAccount();
  });
  afterEach(() => opened.dispose());

  async function addAccount(): Promise<string> {
    const { key: _, ...minted } = mintKey(SYSTEM_RANDOM, false);
    const made = { ...minted, name: 'k', test: false, createdAt: now };
    return (await createKeys(store).createKey(unique('account'), made, COMMAND_LINE)).accountId;
  }

  /** As the service makes it of a number. */
  const verificationOf = (
    wanted: Partial<NewVerification> = {},
    { number = NUMBER, ring = keyring } = {},
  ): NewVerification => {
    const v = newVerification({ accountId, createdAt: now, ...wanted });
    const { current, earlier } = ring.destinationHash(v.accountId, v.test, number);
    return { ...v, destinationHash: current, earlierDestinationHashes: earlier };
  };
  const kindOf = async (v: NewVerification, at = store) => (await at.issue(v)).kind;
  const block = (numbers: readonly string[] = [NUMBER], ring = keyring) =>
    blockNumbers({ records: store, keyring: ring }, accountId, numbers, COMMAND_LINE, now);
  const entries = async (id = accountId) =>
    (await readAuditLog(store, id)).entries
      .map(({ who, action, subject, detail }) => [who, action, subject, detail])
      .filter(([, action]) => action !== 'key.created');

  return {
    get opened() {
      return opened;
    },
    get store() {
      return store;
    },
    get accountId() {
      return accountId;
    },
    ...{ now, keyring, addAccount, verificationOf, kindOf, block, entries },
  };
}
