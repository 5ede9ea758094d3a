/** Every mutant. A new one goes into the list of its room. */
import { ACCOUNTS } from './list/accounts.ts';
import { CARRIERS } from './list/carriers.ts';
import { CLOCKS } from './list/clocks.ts';
import { CONFIG } from './list/config.ts';
import { CORE } from './list/core.ts';
import { DELIVERY } from './list/delivery.ts';
import { GATES } from './list/gates.ts';
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
import { SQLITE_LIMITS } from './list/sqlite-limits.ts';
import { UPKEEP } from './list/upkeep.ts';
import { VERIFIER } from './list/verifier.ts';
import type { Mutant } from './mutant.ts';

export const MUTANTS: readonly Mutant[] = [
  ...CORE,
  ...VERIFIER,
  ...DELIVERY,
  ...GATES,
  ...HTTP,
  ...CONFIG,
  ...CARRIERS,
  ...SIGNATURES,
  ...PORTAL,
  ...SIGN_IN,
  ...ACCOUNTS,
  ...CLOCKS,
  ...SQLITE,
  ...SQLITE_HEAL,
  ...SQLITE_LIMITS,
  ...IDEMPOTENCY,
  ...POSTGRES,
  ...POSTGRES_HEAL,
  ...POSTGRES_LIMITS,
  ...UPKEEP,
];
