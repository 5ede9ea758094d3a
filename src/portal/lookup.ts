/** What an account can look up: verifications, the overview, the carriers, and the handset's messages. */
import type { FastifyRequest } from 'fastify';
import type { TallyStore } from '../core/counting/tally.ts';
import type { CarrierStateStore } from '../core/sending/carrier-state.ts';
import type { Role } from './contract.ts';
import { type HandsetDeps, Handsets } from './handset/handset.ts';
import { createCarrierHealth, type ReadCarrierHealth } from './overview/carrier-health.ts';
import { createOverview, type ReadOverview } from './overview/overview.ts';
import {
  createVerifications,
  type Verifications,
  type VerificationsDeps,
} from './verifications/verifications.ts';

/** The person's current role in the account that the path names; null if they have none or the session is over. */
type RoleNow = (request: FastifyRequest) => Promise<Role | null>;

export interface LookupDeps extends VerificationsDeps, HandsetDeps {
  readonly tallies: TallyStore;
  readonly states: CarrierStateStore;
  /** ISO 4217. */
  readonly currency: string;
  /** As configured. */
  readonly carriers: readonly { readonly name: string; readonly type: string }[];
  readonly roleNow: RoleNow;
}

export interface Lookup {
  readonly verifications: Verifications;
  readonly readOverview: ReadOverview;
  readonly readCarrierHealth: ReadCarrierHealth;
  readonly handsets: Handsets;
  readonly roleNow: RoleNow;
}

export const createLookup = (deps: LookupDeps): Lookup => ({
  verifications: createVerifications(deps),
  readOverview: createOverview(deps),
  readCarrierHealth: createCarrierHealth(deps),
  handsets: new Handsets(deps),
  roleNow: deps.roleNow,
});
