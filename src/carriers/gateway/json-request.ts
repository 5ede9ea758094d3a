import type { GatewayRequest } from './transport.ts';

/** A POST of JSON with credentials. */
export function postJson(authorization: string, path: string, body: object): GatewayRequest {
  return {
    method: 'POST',
    path,
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'countersign',
    },
    body: JSON.stringify(body),
  };
}
