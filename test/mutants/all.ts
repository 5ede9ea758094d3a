/** Every mutant. A new one goes into the list of its room. */
import { CARRIERS } from './list/carriers.ts';
import { CLOCKS } from './list/clocks.ts';
import { CONFIG } from './list/config.ts';
import { CORE } from './list/core.ts';
import { DELIVERY } from './list/delivery.ts';
import { HTTP } from './list/http.ts';
import { IDEMPOTENCY } from './list/idempotency.ts';
import { PORTAL } from './list/portal.ts';
import { POSTGRES } from './list/postgres.ts';
import { POSTGRES_HEAL } from './list/postgres-heal.ts';
import { POSTGRES_LIMITS } from './list/postgres-limits.ts';
import { SIGN_IN } from './list/sign-in.ts';
import { SIGNATURES } from './list/signatures.ts';
import { SQLITE } from './list/sqlite.ts';
import { SQLITE_HEAL } from './list/sqlite-heal.ts';
import { BLOCKING, VERIFIER } from './list/verifier.ts';
import type { Mutant } from './mutant.ts';

export const MUTANTS: readonly Mutant[] = [
  ...CORE,
  ...VERIFIER,
  ...BLOCKING,
  ...DELIVERY,
  ...HTTP,
  ...CONFIG,
  ...CARRIERS,
  ...SIGNATURES,
  ...PORTAL,
  ...SIGN_IN,
  ...CLOCKS,
  ...SQLITE,
  ...SQLITE_HEAL,
  ...IDEMPOTENCY,
  ...POSTGRES,
  ...POSTGRES_HEAL,
  ...POSTGRES_LIMITS,
];
