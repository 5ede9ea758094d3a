/** A stand-in for a mobile network that says whether a SIM was swapped: that of every number that ends in 1 was. */
import { once } from 'node:events';
import { createServer } from 'node:http';

export interface Network extends AsyncDisposable {
  /** Options of a look-up that asks here. */
  readonly lookup: object;
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
    const { phoneNumber } = JSON.parse(body);
    asked.push(phoneNumber);
    return say(200, { swapped: phoneNumber.endsWith('1') });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const network: Network = {
    lookup: {
      type: 'camara-sim-swap',
      url: `${url}/sim-swap/v2`,
      tokenUrl: `${url}/token`,
      clientId: 'client',
      clientSecret: 'secret',
      price: 0.25,
      timeout: '30s',
      fail: 'closed',
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
