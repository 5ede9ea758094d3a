/** Puts admission together: who asks, and whether the service can work right now. */
import type { Logger } from 'pino';
import type { KeyStore } from '../../core/accounts/api-key.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { ServerNote } from '../../core/sql/database.ts';
import { type Authenticator, type AuthenticatorOptions, createAuthenticator } from './authenticator.ts';
import { createOverloadGuard, LOAD_LIMITS } from './overload.ts';
import {
  createServiceReadiness,
  type ServiceReadiness,
  type ServiceReadinessParts,
} from './service-readiness.ts';

interface AdmissionParts extends Pick<ServiceReadinessParts, 'damage'> {
  readonly clockWatch: ServiceReadinessParts['clock'] & { readonly clock: Clock };
  readonly keys: KeyStore;
  readonly onRevision: AuthenticatorOptions['onRevision'];
  readonly store: {
    check(): Promise<void>;
    readonly pending: number;
    readonly database: { readonly servers: readonly ServerNote[] } | undefined;
  };
  readonly log: Logger;
}

type Admission = ServiceReadiness & Pick<Authenticator, 'authenticate' | 'revoke'> & AsyncDisposable;

export function createAdmission({
  keys,
  onRevision,
  store,
  damage,
  clockWatch,
  log,
}: AdmissionParts): Admission {
  const { clock } = clockWatch;
  const { authenticate, revoke, close } = createAuthenticator({ keys, onRevision, clock, log });
  const load = createOverloadGuard({ clock, pending: () => store.pending, ...LOAD_LIMITS });
  return {
    authenticate,
    revoke,
    ...createServiceReadiness({
      checkStore: () => store.check(),
      servers: () => store.database?.servers ?? [],
      ...{ damage, clock: clockWatch, load, log },
    }),
    async [Symbol.asyncDispose]() {
      load.close();
      await close();
    },
  };
}
