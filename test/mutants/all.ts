/** Every mutant. A new one goes into the list of its room. */

import { ACCOUNTS } from './list/accounts.ts';
import { ACCOUNTS_FILE } from './list/accounts-file.ts';
import { ADMISSION, BLOCKING } from './list/admission.ts';
import { ALERTS_APART } from './list/alerts/apart.ts';
import { ALERT_MUTANTS } from './list/alerts.ts';
import { API_KEYS } from './list/api-keys.ts';
import { AUDIT } from './list/audit.ts';
import { BETWEEN } from './list/between.ts';
import { DO_NOT_SEND } from './list/blocking.ts';
import { CARRIER_TESTS } from './list/carrier-tests.ts';
import { LIVES_OF_MESSAGES } from './list/carriers/lives.ts';
import { MESSENGERS } from './list/carriers/messengers.ts';
import { RCS } from './list/carriers/rcs.ts';
import { SENDERS_AND_RECEIPTS } from './list/carriers/senders.ts';
import { SMPP } from './list/carriers/smpp.ts';
import { VOICES_OF_CARRIERS } from './list/carriers/voices.ts';
import { CARRIERS } from './list/carriers.ts';
import { CLIENT } from './list/client.ts';
import { CLOCKS } from './list/clocks.ts';
import { CONFIG } from './list/config.ts';
import { CORE } from './list/core.ts';
import { DELIVERY } from './list/delivery.ts';
import { DEMO } from './list/demo.ts';
import { DISPATCHER } from './list/dispatcher.ts';
import { EVENTS } from './list/events.ts';
import { FACTORS } from './list/factors.ts';
import { FALLBACK } from './list/fallback.ts';
import { FLASHCALL } from './list/flashcall.ts';
import { GATES } from './list/gates.ts';
import { GUARD_BROUGHT } from './list/guard/brought.ts';
import { GUARD_MEMORY } from './list/guard/memory.ts';
import { GUARD_OBSERVING } from './list/guard/observing.ts';
import { GUARD_VERDICTS } from './list/guard/verdicts.ts';
import { GUARD_VOUCHING } from './list/guard/vouching.ts';
import { GUARD_MUTANTS } from './list/guard.ts';
import { CAMARA_DOOR } from './list/http/camara.ts';
import { CONNECTIONS } from './list/http/connection.ts';
import { HOOK_MUTANTS } from './list/http/hooks.ts';
import { KEYS } from './list/http/keys.ts';
import { PROXIES } from './list/http/proxy.ts';
import { ROUTES } from './list/http/routes.ts';
import { LOOKUPS } from './list/lookups.ts';
import { PAGES } from './list/pages.ts';
import { PORTAL } from './list/portal.ts';
import { PROPOSAL } from './list/proposal.ts';
import { RELOADS } from './list/reload.ts';
import { ROTATION } from './list/rotation.ts';
import { SENDING } from './list/sending.ts';
import { SESSIONS } from './list/sessions.ts';
import { SIGN_IN } from './list/sign-in.ts';
import { SIGNATURES } from './list/signatures.ts';
import { STARTING } from './list/starting.ts';
import { ACCOUNT_HEAL } from './list/store/account-heal.ts';
import { AT_ONCE } from './list/store/at-once.ts';
import { BUDGETS } from './list/store/budgets.ts';
import { BUDGETS_AGAIN } from './list/store/budgets-again.ts';
import { BY_NUMBER } from './list/store/by-number.ts';
import { CLAUSES } from './list/store/clauses.ts';
import { ERASURE } from './list/store/erasure.ts';
import { IDEMPOTENCY } from './list/store/idempotency.ts';
import { MOVE } from './list/store/move.ts';
import { POSTGRES } from './list/store/postgres.ts';
import { POSTGRES_CONNECTION } from './list/store/postgres-connection.ts';
import { POSTGRES_HEAL } from './list/store/postgres-heal.ts';
import { POSTGRES_LIMITS } from './list/store/postgres-limits.ts';
import { RECEIPTS } from './list/store/receipts.ts';
import { SCOPE } from './list/store/scope.ts';
import { SQLITE } from './list/store/sqlite.ts';
import { SQLITE_FILE } from './list/store/sqlite-file.ts';
import { SQLITE_HEAL } from './list/store/sqlite-heal.ts';
import { SQLITE_LIMITS } from './list/store/sqlite-limits.ts';
import { UPKEEP } from './list/store/upkeep.ts';
import { TRACING } from './list/tracing.ts';
import { VERIFIER } from './list/verifier.ts';
import { ENDPOINTS } from './list/webhooks.ts';
import type { Mutant } from './mutant.ts';

export const MUTANTS: readonly Mutant[] = [
  ...CORE,
  ...VERIFIER,
  ...BLOCKING,
  ...DELIVERY,
  ...DISPATCHER,
  ...EVENTS,
  ...ENDPOINTS,
  ...ALERT_MUTANTS,
  ...ALERTS_APART,
  ...FLASHCALL,
  ...GATES,
  ...SENDING,
  ...GUARD_MUTANTS,
  ...GUARD_MEMORY,
  ...KEYS,
  ...CAMARA_DOOR,
  ...CONNECTIONS,
  ...PROXIES,
  ...ROUTES,
  ...HOOK_MUTANTS,
  ...ADMISSION,
  ...CONFIG,
  ...STARTING,
  ...CARRIERS,
  ...SMPP,
  ...VOICES_OF_CARRIERS,
  ...LIVES_OF_MESSAGES,
  ...MESSENGERS,
  ...RCS,
  ...SENDERS_AND_RECEIPTS,
  ...SIGNATURES,
  ...PAGES,
  ...PORTAL,
  ...CARRIER_TESTS,
  ...PROPOSAL,
  ...RELOADS,
  ...SIGN_IN,
  ...SESSIONS,
  ...FACTORS,
  ...TRACING,
  ...ACCOUNTS,
  ...API_KEYS,
  ...DO_NOT_SEND,
  ...ACCOUNTS_FILE,
  ...CLIENT,
  ...CLOCKS,
  ...SQLITE,
  ...AT_ONCE,
  ...SQLITE_FILE,
  ...SQLITE_HEAL,
  ...ACCOUNT_HEAL,
  ...SQLITE_LIMITS,
  ...IDEMPOTENCY,
  ...ERASURE,
  ...BUDGETS,
  ...BUDGETS_AGAIN,
  ...BY_NUMBER,
  ...POSTGRES,
  ...POSTGRES_CONNECTION,
  ...POSTGRES_HEAL,
  ...POSTGRES_LIMITS,
  ...UPKEEP,
  ...RECEIPTS,
  ...SCOPE,
  ...CLAUSES,
  ...FALLBACK,
  ...LOOKUPS,
  ...MOVE,
  ...GUARD_BROUGHT,
  ...GUARD_OBSERVING,
  ...GUARD_VERDICTS,
  ...GUARD_VOUCHING,
  ...AUDIT,
  ...ROTATION,
  ...BETWEEN,
  ...DEMO,
];
