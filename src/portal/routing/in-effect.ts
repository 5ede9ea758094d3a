/** What the portal goes by of the configuration in effect. The next request may find another. */
import type { Channel } from '../../core/destination/channel.ts';
import type { Lookups } from '../../core/lookups/lookup.ts';
import type { MessageOptions } from '../../core/message/message.ts';
import type { PriceList } from '../../core/sending/prices.ts';
import type { Route } from '../../core/sending/routing.ts';
import type { AccountLimits } from '../../core/verification/account-limits.ts';
import type { CarrierTester } from '../../core/verification/carrier-test.ts';
import type { CodePolicy } from '../../core/verification/code.ts';
import type { Limit } from '../../core/verification/limits.ts';
import type { VerifierPort } from '../../core/verification/request.ts';
import type { ResolverDeps } from '../../core/verification/resolve.ts';
import type { LiveGuard } from '../../guard/live/live-guard.ts';
import type { ReloadOutcome } from '../../reload/outcome.ts';
import type { PlanMessage } from '../../routing/plan.ts';

/** The options of a carrier that people may see: what all types have in common, and never how it is reached. */
export interface ShownCarrier {
  readonly type: string;
  readonly rate?: Limit | undefined;
  readonly concurrency?: number | undefined;
  readonly timeout: number;
  readonly breaker: { readonly failures: number; readonly resetAfter: number };
  readonly dailyCap?: number | undefined;
}

export interface InEffect {
  readonly config: {
    readonly currency: string;
    readonly carriers: Readonly<Record<string, ShownCarrier>>;
    readonly routes: readonly Route[];
    readonly messages: MessageOptions;
    readonly code: CodePolicy;
  };
  /** Undefined if none is configured. */
  readonly lookups: Lookups | undefined;
  readonly accountLimits: AccountLimits;
  /** The routes over which live keys reach only the simulator. */
  readonly simulatedRoutes: ReadonlySet<Route>;
  /** Whether messages over a route leave the machine. */
  readonly leaves: (route: Route) => boolean;
  readonly priceOf: PriceList;
  readonly resolver: ResolverDeps;
  /** Sends tests of carriers, and says which channels may be asked for. */
  readonly verifier: CarrierTester & Pick<VerifierPort, 'channels'>;
  readonly testResolver: (carrier: string) => ResolverDeps;
  readonly channelsOf: (carrier: string) => Promise<readonly Channel[]>;
  readonly guardPort: Pick<LiveGuard, 'explain'>;
  readonly plan: PlanMessage;
}

export interface ActiveGeneration<Generation extends InEffect = InEffect> {
  readonly generation: Generation;
  /** How this node last took its configuration, since it started. */
  readonly last: ReloadOutcome | undefined;
}
