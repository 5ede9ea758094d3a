import { nodeHttp } from '../../runtime/node-http.ts';
import type { GatewayRequest } from '../gateway/transport.ts';

/**
 * Whether a request with invented values could be written, so that mistakes show now and not at the first code.
 * @throws Error that names the option
 */
export function checkWellFormed({ path, headers }: Pick<GatewayRequest, 'path' | 'headers'>): void {
  if (!/^[\x21-\x7e]*$/.test(path)) throw new Error('url: path and query must be percent-encoded');
  for (const [name, value] of Object.entries(headers)) {
    try {
      nodeHttp.validateHeaderName(name);
      nodeHttp.validateHeaderValue(name, value);
    } catch {
      throw new Error(`headers.${name}: not a valid HTTP header`);
    }
  }
}
