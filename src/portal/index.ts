/** The web portal's server side: its own JSON API, sessions, and the files of its front end. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Keyring } from '../core/keyring.ts';
import type { Records } from '../core/records.ts';
import { readClientAddress } from '../http/client-address.ts';
import { createAccess } from './access.ts';
import { registerFrontEnd } from './front-end.ts';
import { refuseCrossSite } from './origin.ts';
import { registerAudit } from './routes/audit.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const BUILT = fileURLToPath(new URL('../../portal/dist/', import.meta.url));

/** What the portal's routes need of the rest of the service. */
export interface PortalDeps {
  readonly records: Records;
  readonly keyring: Keyring;
  /** Proxies in front of the service, whose word on the client's address is taken. */
  readonly trustedPeers: readonly string[];
}

/** Registers the portal in a scope of its own: its hooks cost no other route anything. */
export type RegisterPortal = (app: FastifyInstance) => void;

export function createPortal(deps: PortalDeps): RegisterPortal {
  return (app) => {
    app.addHook('onRequest', refuseCrossSite);
    app.addHook('onSend', (_request, reply, _payload, done) => {
      reply.headers(SECURITY_HEADERS);
      done();
    });
    const access = createAccess(app, deps.records, readClientAddress(deps.trustedPeers));
    registerAudit(app, deps, access);
    registerFrontEnd(app, BUILT);
  };
}
