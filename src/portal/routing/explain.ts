/** What would happen to a request of an account, and why. Nothing is sent, and nothing is counted. */
import { findListings } from '../../accounts/blocking/blocked-numbers.ts';
import { codePolicyOf, messagesOf } from '../../core/accounts/account-settings.ts';
import type { KeyRestrictions } from '../../core/accounts/api-key.ts';
import { type BudgetStore, type BudgetUse, nameBudget } from '../../core/budgets/budget.ts';
import type { Applying } from '../../core/budgets/budgets.ts';
import { type Destination, parseAnyDestination } from '../../core/destination/destination.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { type CarrierStateStore, worstTrouble } from '../../core/sending/carrier-state.ts';
import type { Records } from '../../core/sql/records.ts';
import { NO_KEY } from '../../core/verification/carrier-test.ts';
import { formatDuration, type Limit } from '../../core/verification/limits.ts';
import { inquire, ruledNumberOf } from '../../core/verification/number-question.ts';
import type { Archive } from '../../core/verification/reading/archive.ts';
import { type Resolved, resolve } from '../../core/verification/resolve.ts';
import type { Plan } from '../../routing/plan.ts';
import { findCaller } from './caller.ts';
import type { CheckName, Question, RouteAnswer } from './contract.ts';
import { checkAgainstGuard, MOST_OWN_CODES, OWN_CODES_MS, type OwnCode } from './guard-check.ts';
import type { InEffect } from './in-effect.ts';
import { explainLookups, NO_LOOKUP_RULE } from './lookup-check.ts';

export interface ExplainDeps {
  readonly records: Records;
  readonly keyring: Keyring;
  readonly archive: Archive;
  readonly budgets: BudgetStore;
  readonly states: CarrierStateStore;
}

/** The key that would ask, with what limits its requests. */
export interface AskingKey {
  readonly id: string;
  readonly restrictions: KeyRestrictions;
}

type Check = RouteAnswer['checks'][number];

const MILLION = 1_000_000;
/** Limits above this are not counted exactly. */
const MOST_COUNTED = 1_000;
const NO_LOOKUPS = { that: () => [] };
const BREAKERS = ['closed', 'half-open', 'open'] as const;

export async function explainNumber(
  deps: ExplainDeps,
  effect: InEffect,
  accountId: string,
  { number, channel }: Question,
  key: AskingKey | undefined,
  now: number,
): Promise<RouteAnswer> {
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
  const [plan, listed, own, limits, budgets] = await Promise.all([
    effect.plan(wording, { route, destination, now }),
    checkList(deps, accountId, destination),
    readOwnCodes(deps, accountId, destination, now),
    checkLimits(
      ...([deps, accountId, destination] as const),
      effect.accountLimits.of(accountId, 'sendsPerDestination', settings),
      now,
    ),
    checkBudgets(deps.budgets, resolved, config.currency, now),
  ]);
  const guard = effect.simulatedRoutes.has(route)
    ? check('guard', 'passes', 'The route leads only to the simulator, which the guard does not judge.')
    : checkAgainstGuard(effect.guardPort.explain(caller, destination), own, now);
  const taken = check('request', 'passes', `Route ${config.routes.indexOf(route) + 1} takes it.`);
  const checks = [taken, listed, limits, guard, budgets];
  // Most services have none, and nobody misses a line about them.
  if (effect.lookups !== undefined || settings?.refuse)
    checks.push(await checkLookups(deps, effect, { caller, destination, route }, now));
  return { ...answer, checks, plan: showPlan(plan) };
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

async function checkLookups(
  { archive, keyring, states }: ExplainDeps,
  { lookups, leaves, config: { currency } }: InEffect,
  request: Parameters<typeof ruledNumberOf>[0],
  now: number,
): Promise<Check> {
  const { caller, destination } = request;
  const rule = caller.settings?.refuse;
  if (!rule) return NO_LOOKUP_RULE;
  const { accountId } = caller;
  const { current, earlier } = keyring.destinationHash(accountId, false, destination.address);
  const ruled = ruledNumberOf(request, leaves);
  const hashes = { destinationHash: current, earlierDestinationHashes: earlier };
  const asked = { accountId, country: destination.country, ...hashes };
  const deps = { lookups: lookups ?? NO_LOOKUPS, records: archive, clock: { now: () => now } };
  const [inquiry, seen] = await Promise.all([
    ruled && inquire(deps, ruled, asked),
    states.carrierStates(now),
  ]);
  return explainLookups({ rule, inquiry, of: current, states: seen, currency, now });
}

async function readOwnCodes(
  { archive, keyring }: ExplainDeps,
  accountId: string,
  { address }: Destination,
  now: number,
): Promise<readonly OwnCode[]> {
  const { current, earlier } = keyring.destinationHash(accountId, false, address);
  const { verifications } = await archive.searchArchive({
    ...{ accountId, before: null, limit: MOST_OWN_CODES, now },
    filter: { destinationHashes: [current, ...earlier], test: false, from: now - OWN_CODES_MS },
  });
  return verifications;
}

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
    ...{
      accountId,
      before: null,
      limit: Math.min(MOST_COUNTED, Math.max(...limits.map(({ max }) => max))),
      now,
    },
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

/** All accounts together use these. */
const SHARED_BUDGETS: ReadonlySet<string> = new Set(['installation', 'country', 'route']);

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
  const isShared = SHARED_BUDGETS.has(limit.kind);
  const left = isFull ? 'used up' : 'not used up';
  return { isFull, words: `${nameBudget(limit)}: ${isShared ? left : parts.join(', ')}.` };
}

function showPlan({ explanation, sample }: Plan): RouteAnswer['plan'] {
  const { route, not_taken, text, currency, carriers, legs } = explanation;
  return {
    route: route.index + 1,
    chooses: route.chooses,
    not_taken: not_taken.map(({ index, serves_another }) => ({ position: index + 1, serves_another })),
    text: text && { sample, ...text },
    currency,
    carriers: carriers.map(({ carrier, why, speech, price, daily_cap, taken_today, breakers }) => {
      const worst = BREAKERS.findLast((state) => breakers.some((each) => each.state === state));
      return {
        ...{ name: carrier, why, speech, price, daily_cap },
        cap_reached: daily_cap !== null && taken_today >= daily_cap,
        breaker: worst ?? 'unknown',
        trouble: worstTrouble(breakers.map(({ trouble }) => trouble)),
        last_error: breakers.find((each) => each.last_error !== null)?.last_error ?? null,
      };
    }),
    legs: legs.map((leg) => ({ ...leg, carriers: [...leg.carriers] })),
  };
}
