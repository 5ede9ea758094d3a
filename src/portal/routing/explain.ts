/** What would happen to a request of an account, and why. Nothing is sent, and nothing is counted. */
import { findListings } from '../../accounts/blocking/blocked-numbers.ts';
import { type AccountSettings, codePolicyOf, messagesOf } from '../../core/accounts/account-settings.ts';
import type { Restrictions } from '../../core/accounts/api-key.ts';
import type { Records } from '../../core/accounts/records.ts';
import { type BudgetStore, type BudgetUse, nameBudget } from '../../core/budgets/budget.ts';
import type { Applying } from '../../core/budgets/budgets.ts';
import { type Destination, parseAnyDestination } from '../../core/destination/destination.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { worstTrouble } from '../../core/sending/carrier-state.ts';
import { NO_KEY } from '../../core/verification/carrier-test.ts';
import { formatDuration, type Limit } from '../../core/verification/limits.ts';
import type { Archive } from '../../core/verification/reading/archive.ts';
import { type Resolved, resolve } from '../../core/verification/resolve.ts';
import type { GuardView } from '../../guard/live/live-guard.ts';
import { NUMBER } from '../../guard/parameters.ts';
import type { Plan } from '../../routing/plan.ts';
import { findCaller } from './caller.ts';
import type { Answer, CheckName, Question } from './contract.ts';
import type { InEffect } from './in-effect.ts';

export interface ExplainDeps {
  readonly records: Records;
  readonly keyring: Keyring;
  readonly archive: Archive;
  readonly budgets: BudgetStore;
}

/** Of the key that would ask, as far as it bounds what it may ask for. */
export interface AskingKey {
  readonly id: string;
  readonly restrictions: Restrictions;
}

type Check = Answer['checks'][number];

const MILLION = 1_000_000;
/** Limits above this are not counted out. */
const MOST_COUNTED = 200;
const BREAKERS = ['closed', 'half-open', 'open'] as const;

export async function explainNumber(
  deps: ExplainDeps,
  effect: InEffect,
  accountId: string,
  { number, channel }: Question,
  key: AskingKey | undefined,
  now: number,
): Promise<Answer> {
  const caller = {
    ...(await findCaller(deps.records, accountId, key?.id ?? NO_KEY)),
    ...(key !== undefined && { restrictions: key.restrictions }),
  };
  const { settings } = caller;
  const request = { destination: number, channel, idempotencyKey: undefined };
  const resolved = resolve(effect.resolver, caller, request, {});
  const parsed = parseAnyDestination(number);
  const known = parsed.ok ? parsed.destination : undefined;
  const answer = {
    number: known === undefined ? '•••' : maskDestination(known.address),
    country: known?.country ?? null,
    channel,
  };
  if ('refusal' in resolved) {
    return {
      ...answer,
      checks: [check('request', 'refuses', describeRefusal(resolved.refusal))],
      plan: null,
    };
  }
  const { route } = resolved;
  // Only requests of test keys have none.
  if (route === undefined) return { ...answer, checks: [], plan: null };
  const { destination } = resolved;
  const { config } = effect;
  const wording = {
    messages: messagesOf(config.messages, settings),
    code: codePolicyOf(config.code, settings),
  };
  const [plan, listed, limits, budgets] = await Promise.all([
    effect.plan(wording, { route, destination, now }),
    checkList(deps, accountId, destination),
    checkLimits(deps, accountId, destination, limitsOn(config.limits.sendsPerDestination, settings), now),
    checkBudgets(deps.budgets, resolved, config.currency, now),
  ]);
  const guard = effect.simulatedRoutes.has(route)
    ? check('guard', 'passes', 'The route leads only to the simulator, which the guard does not judge.')
    : checkGuard(effect.sentry.explain(caller, destination));
  const taken = check('request', 'passes', `Route ${config.routes.indexOf(route) + 1} takes it.`);
  return { ...answer, checks: [taken, listed, limits, guard, budgets], plan: showPlan(plan) };
}

const check = (name: CheckName, verdict: Check['verdict'], detail: string): Check => ({
  name,
  verdict,
  detail,
});

function describeRefusal(
  refusal: Extract<ReturnType<typeof resolve>, { refusal: unknown }>['refusal'],
): string {
  return refusal.kind === 'invalid' ? refusal.detail : 'It would be refused.';
}

async function checkList(deps: ExplainDeps, accountId: string, { address }: Destination): Promise<Check> {
  const [listing] = await findListings(deps, [accountId], address);
  if (listing === undefined) return check('do-not-send', 'passes', 'It is not on the list.');
  const by =
    listing.source === 'recipient' ? 'Its owner asked for it.' : 'Somebody of this account put it there.';
  return check('do-not-send', 'refuses', `It is on the do-not-send list. ${by}`);
}

const limitsOn = (service: readonly Limit[], settings: AccountSettings | undefined) => [
  ...service,
  ...(settings?.sendsPerDestination ?? []),
];

async function checkLimits(
  { archive, keyring }: ExplainDeps,
  accountId: string,
  { address }: Destination,
  limits: readonly Limit[],
  now: number,
): Promise<Check> {
  const longest = Math.max(...limits.map(({ windowMs }) => windowMs));
  const { current, earlier } = keyring.destinationHash(accountId, false, address);
  const { verifications } = await archive.searchArchive({
    ...{ accountId, before: null, limit: MOST_COUNTED, now },
    filter: { destinationHashes: [current, ...earlier], test: false, from: now - longest },
  });
  const used = limits.map(({ max, windowMs }) => {
    const count = verifications.filter(({ createdAt }) => createdAt > now - windowMs).length;
    return { isFull: count >= max, words: `${count} of ${max} in ${formatDuration(windowMs)}` };
  });
  const counted = `Codes asked for: ${used.map((each) => each.words).join(', ')}.`;
  const words = `${counted} Not looked at: requests per key, wrong codes, and addresses that requests come from.`;
  return check('limits', used.some(({ isFull }) => isFull) ? 'refuses' : 'passes', words);
}

async function checkBudgets(
  store: BudgetStore,
  { applying }: Resolved,
  currency: string,
  now: number,
): Promise<Check> {
  if (applying === undefined) return check('budgets', 'passes', 'No budget applies.');
  const subjects = applying.limits.map(({ subject }) => subject).filter((subject) => subject !== '');
  const uses = await store.budgetUse(now, subjects);
  const most = Object.values(applying.prices).reduce((sum, price) => sum + price, 0);
  const looked = applying.limits.map((limit) => describeBudget(limit, usedOf(uses, limit), most, currency));
  const isFull = looked.some((each) => each.isFull);
  return check('budgets', isFull ? 'refuses' : 'passes', looked.map(({ words }) => words).join(' '));
}

type AppliedLimit = Applying['limits'][number];

function usedOf(uses: readonly BudgetUse[], { kind, per, subject }: AppliedLimit): BudgetUse | undefined {
  return uses.find((use) => use.kind === kind && use.per === per && (use.subject ?? '') === subject);
}

function describeBudget(limit: AppliedLimit, used: BudgetUse | undefined, most: number, currency: string) {
  const { money, messages } = limit;
  const [spent, sent] = [used?.money ?? 0, used?.messages ?? 0];
  const parts = [
    ...(money === null ? [] : [`${spent / MILLION} of ${money / MILLION} ${currency}`]),
    ...(messages === null ? [] : [`${sent} of ${messages} messages`]),
  ];
  const isFull = (money !== null && spent + most > money) || (messages !== null && sent + 1 > messages);
  return { isFull, words: `${nameBudget(limit)}: ${parts.join(', ')}.` };
}

/** Which of two closed places lets a message through is decided when it comes, so this says what it knows. */
function checkGuard({ mode, explanation: { rule, number, places } }: GuardView): Check {
  if (mode === 'off') return check('guard', 'passes', 'The guard is off.');
  const refuses = mode === 'enforce' ? 'refuses' : 'passes';
  const only = mode === 'enforce' ? '' : ' The guard only observes.';
  if (rule !== undefined) {
    const words = `A rule of yours says ${rule.action}: ${rule.reason}.`;
    return check(
      'guard',
      rule.action === 'allow' ? 'passes' : refuses,
      words + (rule.action === 'allow' ? '' : only),
    );
  }
  if (number.isOfAnother) return check('guard', refuses, `Another account has a code open there.${only}`);
  if (number.unconfirmed > NUMBER.mostUnconfirmed - 0.5) {
    return check(
      'guard',
      refuses,
      `${Math.round(number.unconfirmed)} codes there were not confirmed.${only}`,
    );
  }
  const closed = places.filter(({ state }) => state === 'closed');
  if (closed.length === 0) return check('guard', 'passes', 'Nothing is held against it.');
  const words = closed.map(({ label, words }) => `${label}: ${words}.`).join(' ');
  if (number.isKnown) return check('guard', 'passes', `It has confirmed before. ${words}`);
  return check('guard', mode === 'enforce' ? 'unsure' : 'passes', words + only);
}

function showPlan({ explanation, sample }: Plan): Answer['plan'] {
  const { route, not_taken, text, currency, carriers, legs } = explanation;
  return {
    route: route.index + 1,
    chooses: route.chooses,
    not_taken: not_taken.map(({ index, serves_another }) => ({ position: index + 1, serves_another })),
    text: { sample, ...text },
    currency,
    carriers: carriers.map(({ carrier, why, speech, price, daily_cap, taken_today, breakers }) => {
      const worst = BREAKERS.findLast((state) => breakers.some((each) => each.state === state));
      return {
        ...{ name: carrier, why, speech, price, daily_cap, taken_today },
        breaker: worst ?? 'unknown',
        trouble: worstTrouble(breakers.map(({ trouble }) => trouble)),
        last_error: breakers.find((each) => each.last_error !== null)?.last_error ?? null,
      };
    }),
    legs: legs.map((leg) => ({ ...leg, carriers: [...leg.carriers] })),
  };
}
