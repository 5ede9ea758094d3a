/** Puts the guard of the service together. */
import type { Records } from '../../core/accounts/records.ts';
import type { Clock } from '../../core/clock.ts';
import type { GuardMode } from '../../core/guard-mode.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { CarrierLog } from '../../core/sending/carrier.ts';
import type { Route } from '../../core/sending/routing.ts';
import type { Sentry } from '../../core/verification/sentry.ts';
import { Guard } from '../guard.ts';
import { LiveGuard } from './live-guard.ts';
import { keepRules, type RuleKeyring } from './rules-keeper.ts';

interface LiveGuardParts {
  readonly config: { readonly guard: { readonly mode: GuardMode } };
  /** Routes whose messages do not leave the machine. */
  readonly simulatedRoutes: ReadonlySet<Route>;
  readonly keyring: Pick<Keyring, 'recipientTag'> & RuleKeyring;
  readonly clock: Clock;
  readonly records: Records;
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
  records,
  log,
}: LiveGuardParts): Promise<LiveGuardRoom> {
  const guard = new Guard({ origin: clock.now() });
  const sentry = new LiveGuard({
    guard,
    clock,
    mode: config.guard.mode,
    exempt: simulatedRoutes,
    numberOf: keyring.recipientTag,
    onRefusal: () => {},
  });
  const rules = await keepRules({ guard, records, keyring, log: log.note });
  return { sentry, [Symbol.asyncDispose]: async () => rules[Symbol.dispose]() };
}
