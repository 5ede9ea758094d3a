/** Requests as most gateways want them. */
import type { GatewayRequest } from './transport.ts';

type Headers = GatewayRequest['headers'];

/** A POST of JSON with credentials. */
export function postJson(authorization: string, path: string, body: object): GatewayRequest {
  return post(path, 'application/json', JSON.stringify(body), { authorization });
}

/** A POST of a form. Its fields may hold the credentials instead of a header. */
export function postForm(path: string, fields: Record<string, string>, headers?: Headers): GatewayRequest {
  const body = new URLSearchParams(fields).toString();
  return post(path, 'application/x-www-form-urlencoded', body, headers);
}

function post(path: string, type: string, body: string, credentials?: Headers): GatewayRequest {
  const headers = {
    ...credentials,
    'content-type': type,
    accept: 'application/json',
    'user-agent': 'countersign',
  };
  return { method: 'POST', path, headers, body };
}
