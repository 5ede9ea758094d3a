/** The optional port for plain HTTP. It serves nothing and never redirects: a redirect would hide that the key leaked. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Logger } from 'pino';
import { describeError } from '../../core/errors/error-facts.ts';
import { formatProblem, PROBLEM_TYPE } from '../problem.ts';
import { type RevokeKey, revokeLeakedKey } from '../proxy/cleartext.ts';
import type { RequestMetrics } from '../report.ts';
import { createListener, PATIENCE, type Patience } from './listener.ts';

export interface PlainPortDeps {
  /** Undefined: leaked keys are not revoked. */
  readonly revoke: RevokeKey | undefined;
  readonly metrics: RequestMetrics;
  readonly log: Logger;
}

const MAX_CONNECTIONS = 256;
const IDLE = { silent: 64, resting: 64 };

/** Opens the port, if one is configured, until disposed of. */
export async function openPlainPort(
  plain: { readonly port: number; readonly revokeKeys: boolean } | undefined,
  host: string,
  { revoke, ...deps }: PlainPortDeps,
): Promise<Disposable | undefined> {
  if (plain === undefined) return undefined;
  const server = createPlainPort({ ...deps, revoke: plain.revokeKeys ? revoke : undefined });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  try {
    server.listen({ port: plain.port, host });
    await once(server, 'listening');
  } catch (error) {
    close();
    throw error;
  }
  return { [Symbol.dispose]: close };
}

/** The caller listens on it and closes it. Every request is answered 403, and no body is read but a form that may hold a key. */
export function createPlainPort(deps: PlainPortDeps, patience: Patience = PATIENCE): Server {
  const answer: RequestListener = async (request, response) => {
    const begun = performance.now();
    const requestId = randomUUID();
    const body = formatProblem('https-required', requestId, await revokeQuietly(request, requestId, deps));
    response.writeHead(403, {
      'content-type': PROBLEM_TYPE,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    const ms = Math.round((performance.now() - begun) * 100) / 100;
    deps.metrics.answered('plain', 403, ms);
    deps.log.info({ requestId, route: 'plain', status: 403, ms, problem: 'https-required' }, 'request');
  };
  return createListener(
    { keyPair: undefined, patience, maxConnections: MAX_CONNECTIONS, idle: IDLE },
    answer,
  );
}

/** Refuses the request even if the store is down. */
async function revokeQuietly(request: IncomingMessage, requestId: string, { revoke, log }: PlainPortDeps) {
  try {
    return await revokeLeakedKey(request, revoke);
  } catch (error) {
    log.error({ requestId, error: describeError(error) }, 'leaked key not revoked');
    return undefined;
  }
}
