/** Puts the guard of the service together. */
import type { Records } from '../../core/accounts/records.ts';
import type { Clock } from '../../core/clock.ts';
import type { GuardMode } from '../../core/guard-mode.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { CarrierLog } from '../../core/sending/carrier.ts';
import type { Route } from '../../core/sending/routing.ts';
import type { Sentry } from '../../core/verification/sentry.ts';
import { Guard } from '../guard.ts';
import { NUMBER } from '../parameters.ts';
import { LiveGuard } from './live-guard.ts';
import { MemoryKeeper } from './memory-keeper.ts';
import { keepRules, type RuleKeyring } from './rules-keeper.ts';

interface LiveGuardParts {
  readonly config: { readonly guard: { readonly mode: GuardMode } };
  /** Routes whose messages do not leave the machine. */
  readonly simulatedRoutes: ReadonlySet<Route>;
  readonly keyring: Pick<Keyring, 'recipientTag'> & RuleKeyring;
  readonly clock: Clock;
  /** Only a store that several nodes may share says what each may send. */
  readonly store: Records & { readonly budget: unknown };
  readonly log: { readonly note: CarrierLog };
}

interface LiveGuardRoom extends AsyncDisposable {
  readonly sentry: Sentry;
}

export async function openGuard({
  config,
  simulatedRoutes,
  keyring,
  clock,
  store,
  log,
}: LiveGuardParts): Promise<LiveGuardRoom> {
  await using parts = new AsyncDisposableStack();
  const shared = store.budget !== undefined;
  // What was kept is older than this start.
  const guard = new Guard({ origin: clock.now() - NUMBER.knownFor, shares: shared });
  const sentry = new LiveGuard({
    guard,
    clock,
    mode: config.guard.mode,
    exempt: simulatedRoutes,
    numberOf: keyring.recipientTag,
    onRefusal: () => {},
  });
  const { steady } = clock;
  const kept = { guard, records: store, log: log.note };
  parts.use(await keepRules({ ...kept, keyring }));
  const memory = parts.use(new MemoryKeeper({ ...kept, shared, now: sentry.now, steady }));
  await memory.start();
  const running = parts.move();
  return { sentry, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
