/** The accounts of each test, their members, and nodes that look. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { createKeys } from '../../../../../src/accounts/keys.ts';
import { evaluate } from '../../../../../src/alerts/evaluation.ts';
import type { OwnPlaces } from '../../../../../src/alerts/notices.ts';
import { Turn } from '../../../../../src/alerts/turn.ts';
import type { Source } from '../../../../../src/alerts/watch/source.ts';
import { query } from '../../../../../src/core/accounts/records.ts';
import type { Finding } from '../../../../../src/core/alerts/judge.ts';
import { inForce, type RuleName, type RuleWishes } from '../../../../../src/core/alerts/rule.ts';
import { createManualClock } from '../../../../../src/core/clock-fixture.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import type { Store } from '../../../../../src/store/port.ts';
import { LAX, MINUTE, type OpenedStore, type OpenStore, unique } from '../../rig.ts';

export const NOW = Date.UTC(2026, 10, 20, 12, 30);
export const LEASE = 3 * MINUTE;
export const URL = 'https://hooks.example.com/services/precious';
export const OWN = { email: ['ops@example.com'], hasWebhook: true, accounts: true };
const ADA = { name: 'Ada', address: '192.0.2.1' };

/** Of one look. */
interface Circumstances {
  readonly wishes?: RuleWishes;
  readonly own?: OwnPlaces;
  readonly more?: readonly (readonly [rules: readonly RuleName[], source: Source])[];
}

export type AlertRig = ReturnType<typeof createAlertRig>;

/** For the suite that it is called in. */
export function createAlertRig(open: OpenStore) {
  let opened: OpenedStore;
  let store: Store;
  let acme: string;
  let other: string;
  const keyring = new Keyring('first secret'.padEnd(32, '.'));

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

  async function addMember(accountId: string, role: string): Promise<string> {
    const id = unique('per');
    await store.transact([
      {
        sql: 'INSERT INTO person (id, email, name, created_at) VALUES ($1, $2, $3, 0)',
        args: [id, `${id}@example.com`, id],
      },
      {
        sql: 'INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, $3, 0)',
        args: [accountId, id, role],
      },
    ]);
    return id;
  }

  const by = (accountId = acme, now = NOW) => ({ accountId, by: ADA, now });
  const finding = (wanted: Partial<Finding> = {}): Finding => ({
    ...{ rule: 'guard-acting', accountId: acme, subject: 'range4 +4474', level: 'bad' },
    ...{ detail: 'It acts.', place: 'guard', ...wanted },
  });

  /** A node, and what it finds at its next look. */
  function newNode(node = 'a') {
    const records = store;
    const clock = createManualClock(NOW);
    const turn = new Turn({ records, clock, node, lease: LEASE });
    const logged: string[] = [];
    let found: readonly Finding[] | Error = [];
    const source: Source = async () => {
      if (found instanceof Error) throw found;
      return found;
    };
    return {
      ...{ clock, turn, logged },
      async look(
        now: number,
        next: readonly Finding[] | Error,
        { wishes = {}, own = OWN, more = [] }: Circumstances = {},
      ) {
        found = next;
        clock.pass(now - clock.now());
        assert.ok(await turn.take());
        const sources = [[['guard-acting'], source] as const, ...more];
        const log = (_: string, message: string) => void logged.push(message);
        await evaluate({ ...{ records, turn, sources, wishes, own, log } }, now);
      },
    };
  }

  const notices = async () =>
    (
      await query(
        store,
        'SELECT account_id, channel, target, kind FROM alert_notice ORDER BY account_id, channel, target, id',
      )
    ).map(({ account_id, channel, target, kind }) => [account_id, channel, target, kind].join(' '));

  const wherever = (rule: Parameters<typeof inForce>[0]) => inForce(rule);
  const findings = (source: Source, now = NOW) => source({ records: store, now, inForce: wherever });

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
    ...{ keyring, addMember, by, finding, newNode, notices, findings },
  };
}
