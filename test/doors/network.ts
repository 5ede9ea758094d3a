/**
 * A stand-in for a mobile network that says whether a SIM was swapped and, as another provider would, whether a number came from another
 * carrier: both hold of every number that ends in 1.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

/** What is asked of a number: its digits, and the hours of the rule. */
const PORTED = /^\/ported\/(\d+)\/48$/;

export interface Network extends AsyncDisposable {
  /** Options of look-ups that ask here, for each fact that they tell. */
  readonly lookups: { readonly swapped: object; readonly ported: object };
  /** The numbers that it was asked about, in order. */
  readonly asked: string[];
  isAway: boolean;
  /** It gives tokens, and answers no question. */
  isRefusing: boolean;
}

export async function openNetwork(): Promise<Network> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const say = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (network.isAway) return say(503, { status: 503, code: 'UNAVAILABLE', message: 'away' });
    if (request.url === '/token') return say(200, { access_token: 'tok', expires_in: 3_600 });
    if (network.isRefusing)
      return say(403, { status: 403, code: 'PERMISSION_DENIED', message: 'no contract' });
    const ported = PORTED.exec(request.url ?? '');
    const number: string = ported ? `+${ported[1]}` : JSON.parse(body).phoneNumber;
    asked.push(number);
    return say(200, { [ported ? 'ported' : 'swapped']: number.endsWith('1') });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const bounds = { price: 0.25, timeout: '30s', fail: 'closed' };
  const network: Network = {
    lookups: {
      swapped: {
        type: 'camara-sim-swap',
        url: `${url}/sim-swap/v2`,
        tokenUrl: `${url}/token`,
        clientId: 'client',
        clientSecret: 'secret',
        ...bounds,
      },
      ported: {
        type: 'http',
        url: `${url}/ported/{{toDigits}}/{{portedHours}}`,
        ported: { path: 'ported' },
        ...bounds,
      },
    },
    asked,
    isAway: false,
    isRefusing: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return network;
}
