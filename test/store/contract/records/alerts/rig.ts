/** The accounts of each test, their members, and nodes that look. */
import assert from 'node:assert/strict';
import { evaluate } from '../../../../../src/alerts/evaluation.ts';
import { LeaderLease } from '../../../../../src/alerts/leader-lease.ts';
import type { OwnRecipients } from '../../../../../src/alerts/notices.ts';
import type { AlertSource } from '../../../../../src/alerts/watch/source.ts';
import type { AlertFinding } from '../../../../../src/core/alerts/judge.ts';
import { inForce, type RuleName, type RuleOption } from '../../../../../src/core/alerts/rule.ts';
import { createManualClock } from '../../../../../src/core/seams/clock-fixture.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { query } from '../../../../../src/core/sql/records.ts';
import { MINUTE, type OpenStore, unique } from '../../rig.ts';
import { ADA, openTwoAccounts } from '../two-accounts.ts';

export const NOW = Date.UTC(2026, 10, 20, 12, 30);
export const LEASE = 3 * MINUTE;
export const URL = 'https://hooks.example.com/services/precious';
export const OWN = { email: ['ops@example.com'], hasWebhook: true, accounts: true };

/** Of one look. */
interface Circumstances {
  /** What the configuration says of rules. */
  readonly rules?: Readonly<Partial<Record<RuleName, RuleOption>>>;
  readonly own?: OwnRecipients;
  readonly more?: readonly (readonly [rules: readonly RuleName[], source: AlertSource])[];
}

export type AlertRig = ReturnType<typeof createAlertRig>;

/** For the suite that it is called in. */
export function createAlertRig(open: OpenStore) {
  const two = openTwoAccounts(open);
  const keyring = new Keyring('first secret'.padEnd(32, '.'));

  async function addMember(accountId: string, role: string): Promise<string> {
    const id = unique('per');
    await two.store.transact([
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

  const by = (accountId = two.acme, now = NOW) => ({ accountId, by: ADA, now });
  const finding = (wanted: Partial<AlertFinding> = {}): AlertFinding => ({
    ...{ rule: 'guard-acting', accountId: two.acme, subject: 'range4 +4474', level: 'bad' },
    ...{ detail: 'It acts.', place: 'guard', ...wanted },
  });

  /** A node, and what it finds at its next look. */
  function newNode(node = 'a') {
    const { store: records } = two;
    const clock = createManualClock(NOW);
    const leaderLease = new LeaderLease({ records, clock, node, lease: LEASE });
    const logged: string[] = [];
    let found: readonly AlertFinding[] | Error = [];
    const source: AlertSource = async () => {
      if (found instanceof Error) throw found;
      return found;
    };
    return {
      ...{ clock, leaderLease, logged },
      async look(
        now: number,
        next: readonly AlertFinding[] | Error,
        { rules = {}, own = OWN, more = [] }: Circumstances = {},
      ) {
        found = next;
        clock.pass(now - clock.now());
        assert.ok(await leaderLease.take());
        const sources = [[['guard-acting'], source] as const, ...more];
        const log = (_: string, message: string) => void logged.push(message);
        await evaluate(
          { ...{ records, leaderLease, sources, own, log }, inForce: (rule) => inForce(rule, rules[rule]) },
          now,
        );
      },
    };
  }

  const notices = async () =>
    (
      await query(
        two.store,
        'SELECT account_id, channel, target, kind FROM alert_notice ORDER BY account_id, channel, target, id',
      )
    ).map(({ account_id, channel, target, kind }) => [account_id, channel, target, kind].join(' '));

  /** What a source finds by the default thresholds, or by others. */
  const findings = (
    source: AlertSource,
    now = NOW,
    stated: Readonly<Partial<Record<RuleName, number>>> = {},
  ) =>
    source({
      ...{ records: two.store, now },
      thresholdOf: (rule) => inForce(rule, stated[rule]).threshold ?? Number.POSITIVE_INFINITY,
    });

  return {
    get store() {
      return two.store;
    },
    get acme() {
      return two.acme;
    },
    get other() {
      return two.other;
    },
    ...{ keyring, addMember, by, finding, newNode, notices, findings },
  };
}
