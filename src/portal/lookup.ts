/** What an account can look up: verifications, the overview, the carriers, and the handset's messages. */
import type { FastifyInstance } from 'fastify';
import type { CarrierStateStore } from '../core/carrier-state.ts';
import type { TallyStore } from '../core/tally.ts';
import type { Access } from './access.ts';
import { createCarrierHealth } from './carrier-health.ts';
import { type HandsetDeps, Handsets } from './handset.ts';
import { createOverview } from './overview.ts';
import { registerCarrierHealth } from './routes/carrier-health.ts';
import { type RoleNow, registerHandset } from './routes/handset.ts';
import { registerOverview } from './routes/overview.ts';
import { registerVerifications } from './routes/verifications.ts';
import { createVerifications, type VerificationsDeps } from './verifications.ts';

export interface LookupDeps extends VerificationsDeps, HandsetDeps {
  readonly tallies: TallyStore;
  readonly states: CarrierStateStore;
  /** ISO 4217. */
  readonly currency: string;
  /** As configured. */
  readonly carriers: readonly { readonly name: string; readonly type: string }[];
  readonly roleNow: RoleNow;
}

export function registerLookup(app: FastifyInstance, deps: LookupDeps, access: Access): void {
  registerVerifications(app, createVerifications(deps), access);
  registerOverview(app, createOverview(deps), access);
  registerCarrierHealth(app, createCarrierHealth(deps), access);
  registerHandset(app, new Handsets(deps), deps.roleNow, access);
}
