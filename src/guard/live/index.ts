/** Puts the guard of the service together. */

import type { BudgetWatch } from '../../core/budgets/budget.ts';
import type { GuardMode } from '../../core/guarding/guard-mode.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Random } from '../../core/seams/random.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { Log } from '../../core/sending/carrier.ts';
import type { PriceList } from '../../core/sending/prices.ts';
import type { Route } from '../../core/sending/routing.ts';
import type { Records } from '../../core/sql/records.ts';
import type { GuardPort } from '../../core/verification/guard-port.ts';
import { Guard } from '../guard.ts';
import { type Bounds, NUMBER } from '../parameters.ts';
import { LiveGuard } from './live-guard.ts';
import { MemoryKeeper } from './memory-keeper.ts';
import { type GuardMetrics, GuardRecord } from './record.ts';
import { keepRules, type RuleKeyring } from './rules-keeper.ts';

/** What it judges by, besides what it has learnt. */
interface GuardTerms {
  /** Of accounts that set none. */
  readonly mode: GuardMode;
  /** Routes whose messages do not leave the machine. */
  readonly exempt: ReadonlySet<Route>;
}

interface LiveGuardParts {
  /** What messages cost now. */
  readonly priceOf: PriceList;
  readonly keyring: Pick<Keyring, 'recipientTag'> & RuleKeyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Records & { readonly isShared: boolean };
  readonly metrics: GuardMetrics;
  readonly log: { readonly note: Log };
  /** How much the guard remembers; by default as much as a large installation needs. */
  readonly bounds?: Bounds | undefined;
}

interface LiveGuardRoom extends AsyncDisposable {
  /** Before this resolves, the guard knows neither rules nor what it learnt before the start. It never rejects. */
  readonly loaded: Promise<unknown>;
  /** All of them share what they learn. */
  portUnder(terms: GuardTerms): GuardPort & Pick<LiveGuard, 'explain'>;
  /** Writes down the events of budgets too. */
  readonly budgetWatch: BudgetWatch;
}

const NOWHERE: ReadonlySet<Route> = new Set();

export function openGuard(parts: LiveGuardParts): LiveGuardRoom {
  const { priceOf, keyring, clock, random, store, metrics, log, bounds } = parts;
  const shared = store.isShared;
  // What was kept is older than this start.
  const guard = new Guard({ origin: clock.now() - NUMBER.knownFor, shares: shared, bounds });
  const now = () => live.now();
  const kept = { guard, clock, random, now, records: store, log: log.note };
  const record: GuardRecord = new GuardRecord({ ...kept, priceOf, metrics });
  const live = new LiveGuard({
    guard,
    clock,
    ...{ mode: 'off', exempt: NOWHERE },
    numberOf: keyring.recipientTag,
    onPass: record.passed,
    onRefusal: record.refused,
  });
  const opened = new AsyncDisposableStack();
  opened.use(record.start());
  const memory = opened.use(new MemoryKeeper({ ...kept, shared }));
  const loaded = Promise.all([
    memory.start(),
    keepRules({ ...kept, keyring }).then((rules) => opened.use(rules)),
  ]);
  return {
    loaded,
    portUnder: (terms) => live.under(terms),
    budgetWatch: { nearlyUsed: record.budgetNearlyUsed, exhausted: record.budgetExhausted },
    [Symbol.asyncDispose]: async () => {
      await loaded;
      await opened.disposeAsync();
    },
  };
}
