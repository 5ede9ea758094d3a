/** A store of its own for each test of a suite, with two accounts, so that what is one's is seen not to be the other's. */
import { afterEach, beforeEach } from 'node:test';
import { createKeys } from '../../../../src/accounts/keys.ts';
import type { Store } from '../../../../src/store/port.ts';
import { LAX, type OpenedStore, type OpenStore, unique } from '../rig.ts';

export const ADA = { name: 'Ada', address: '192.0.2.1' };

/** For the suite that it is called in. */
export function openTwoAccounts(open: OpenStore) {
  let opened: OpenedStore;
  let store: Store;
  let acme: string;
  let other: string;

  beforeEach(async () => {
    opened = await open(LAX);
    store = opened.store;
    acme = await addAccount('Acme');
    other = await addAccount('Other');
  });
  afterEach(() => opened.dispose());

  async function addAccount(name: string): Promise<string> {
    const [id, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
    const key = { id, prefix, hash, name: 'web', test: false, createdAt: 1 };
    return (await createKeys(store).createKey(name, key, ADA)).accountId;
  }

  return {
    get store() {
      return store;
    },
    get acme() {
      return acme;
    },
    get other() {
      return other;
    },
    /** Another connection to the same data, if the store allows one. */
    second: async () => (await opened.second?.()) ?? store,
  };
}
