/** One look at all rules: what fires, what is over, and what is to be told to whom. Written in one transaction by the holder of the lease. */
import { mintListId } from '../accounts/token.ts';
import { type AlertFinding, judgeAlert, type NoticeKind, type Standing } from '../core/alerts/judge.ts';
import { isRuleName, type RuleName, ruleOf, timingOf } from '../core/alerts/rule.ts';
import { describeError } from '../core/errors/error-facts.ts';
import type { Log } from '../core/sending/carrier.ts';
import { query, type Records, type Row, type Statement, type Step } from '../core/sql/records.ts';
import type { LeaderLease } from './leader-lease.ts';
import { noticeSteps, type OwnRecipients, readRecipients } from './notices.ts';
import type { AlertService } from './parts.ts';
import type { AlertSource } from './watch/source.ts';

/** Alerts that may stand at one time. What is beyond that is not begun: people have enough to look at. */
const MOST_STANDING = 2_000;

const STANDING = `
  SELECT id, account_id, rule, subject, detail, place, bad_since, firing_since, good_since, told_at FROM alert
  WHERE over_at IS NULL ORDER BY id LIMIT ${MOST_STANDING}`;

interface Kept extends Standing, Omit<AlertFinding, 'level'> {
  readonly id: string;
}

interface EvaluationDeps {
  readonly records: Records;
  readonly leaderLease: Pick<LeaderLease, 'guard'>;
  readonly sources: readonly (readonly [rules: readonly RuleName[], source: AlertSource])[];
  readonly inForce: AlertService['inForce'];
  /** Where the configuration wants alerts told. */
  readonly own: OwnRecipients;
  readonly log: Log;
}

interface Told {
  readonly kept: Omit<Kept, keyof Standing> & Pick<Standing, 'firingSince'>;
  readonly notice: NoticeKind;
}

export async function evaluate(deps: EvaluationDeps, now: number): Promise<void> {
  const { records, leaderLease, inForce, own, log } = deps;
  const { findings, unknown } = await look(deps, now);
  const standing = (await query(records, STANDING)).flatMap(keptOf);
  const steps: Step[] = [];
  const told: Told[] = [];
  const left = new Map(findings.map((finding) => [keyOf(finding), finding]));

  for (const kept of standing) {
    const finding = left.get(keyOf(kept));
    left.delete(keyOf(kept));
    // A rule that could not be looked at says neither that it is good nor that it is bad.
    if (finding === undefined && unknown.has(kept.rule)) continue;
    step(kept, finding);
  }
  const room = Math.max(0, MOST_STANDING - standing.length);
  for (const finding of [...left.values()].slice(0, room)) step(undefined, finding);
  if (steps.length === 0) return;

  const recipients =
    told.length === 0
      ? undefined
      : await readRecipients(
          records,
          told.map(({ kept }) => kept.accountId),
        );
  const notices = told.flatMap((each) =>
    recipients === undefined ? [] : noticeSteps(records, each, { recipients, own, now }),
  );
  const written = await records.transact([leaderLease.guard(), ...steps, ...notices]);
  if (!written.done) return;
  for (const { kept, notice } of told) {
    const { rule, subject, accountId } = kept;
    // Without its detail, which may name people.
    const fields = { event: `alert.${notice}`, rule, about: subject, account: accountId ?? undefined };
    log(
      notice === 'recovered' ? 'info' : 'warn',
      notice === 'recovered' ? 'alert is over' : 'alert fires',
      fields,
    );
  }

  function step(kept: Kept | undefined, finding: AlertFinding | undefined): void {
    const about = finding ?? kept;
    if (about === undefined) return;
    const { rule, accountId } = about;
    const timing = { ...timingOf(rule, inForce(rule)), passing: ruleOf(rule).passing === true };
    const judged = judgeAlert({ standing: kept, level: finding?.level, now, timing });
    const id = kept?.id ?? mintListId('alr', now, records.random);
    if (judged.kind === 'nothing') {
      if (kept !== undefined) steps.push({ sql: 'DELETE FROM alert WHERE id = $1', args: [id] });
      return;
    }
    const words = { rule, accountId, subject: about.subject, detail: about.detail, place: about.place };
    if (judged.kind === 'over') {
      const sql = 'UPDATE alert SET over_at = CAST($2 AS BIGINT) WHERE id = $1';
      steps.push({ sql, args: [id, now] });
    } else {
      steps.push(
        ...(kept === undefined ? [begin(id, words, judged.standing)] : change(kept, words, judged.standing)),
      );
    }
    const firingSince = judged.kind === 'over' ? (kept?.firingSince ?? now) : judged.standing.firingSince;
    if (judged.notice !== undefined)
      told.push({ kept: { id, ...words, firingSince }, notice: judged.notice });
  }
}

type Words = Omit<AlertFinding, 'level'>;

function begin(
  id: string,
  { rule, accountId, subject, detail, place }: Words,
  standing: Standing,
): Statement {
  const { badSince, firingSince, goodSince, toldAt } = standing;
  return {
    sql: `INSERT INTO alert (id, account_id, rule, subject, detail, place, bad_since, firing_since, good_since, told_at)
      VALUES ($1, $2, $3, $4, $5, $6, CAST($7 AS BIGINT), CAST($8 AS BIGINT), CAST($9 AS BIGINT), CAST($10 AS BIGINT))`,
    args: [id, accountId ?? '', rule, subject, detail, place, badSince, firingSince, goodSince, toldAt],
  };
}

/** Nothing if nothing changed. */
function change(kept: Kept, { detail, place }: Words, standing: Standing): Statement[] {
  const { badSince, firingSince, goodSince, toldAt } = standing;
  const isSame =
    detail === kept.detail &&
    place === kept.place &&
    badSince === kept.badSince &&
    firingSince === kept.firingSince &&
    goodSince === kept.goodSince &&
    toldAt === kept.toldAt;
  if (isSame) return [];
  return [
    {
      sql: `UPDATE alert SET detail = $2, place = $3, bad_since = CAST($4 AS BIGINT), firing_since = CAST($5 AS BIGINT),
          good_since = CAST($6 AS BIGINT), told_at = CAST($7 AS BIGINT) WHERE id = $1`,
      args: [kept.id, detail, place, badSince, firingSince, goodSince, toldAt],
    },
  ];
}

/** What each source finds for the rules that are on. One that fails leaves the others alone, and its rules as they are. */
async function look(
  { records, sources, inForce, log }: EvaluationDeps,
  now: number,
): Promise<{ readonly findings: readonly AlertFinding[]; readonly unknown: ReadonlySet<RuleName> }> {
  const findings: AlertFinding[] = [];
  const unknown = new Set<RuleName>();
  const isOn = (rule: RuleName) => inForce(rule).on;
  const thresholdOf = (rule: RuleName) => inForce(rule).threshold ?? Number.POSITIVE_INFINITY;
  for (const [rules, source] of sources) {
    if (!rules.some(isOn)) continue;
    try {
      const found = await source({ records, now, thresholdOf });
      findings.push(...found.filter(({ rule }) => isOn(rule)));
    } catch (error) {
      for (const rule of rules) unknown.add(rule);
      log('warn', 'alerts not looked at', { rules: rules.join(', '), error: describeError(error) });
    }
  }
  return { findings, unknown };
}

const keyOf = ({ accountId, rule, subject }: Pick<AlertFinding, 'accountId' | 'rule' | 'subject'>): string =>
  JSON.stringify([accountId, rule, subject]);

function keptOf(row: Row): Kept[] {
  const [account, rule] = [String(row.account_id), String(row.rule)];
  if (!isRuleName(rule)) return [];
  return [
    {
      ...{
        id: String(row.id),
        accountId: account === '' ? null : account,
        rule,
        subject: String(row.subject),
      },
      ...{ detail: String(row.detail), place: String(row.place), badSince: Number(row.bad_since) },
      firingSince: numberOrNull(row.firing_since),
      goodSince: numberOrNull(row.good_since),
      toldAt: numberOrNull(row.told_at),
    },
  ];
}

const numberOrNull = (value: Row[string] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
