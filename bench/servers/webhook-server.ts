/** An endpoint of webhooks that takes everything, and says how much that was. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [port, cert = '', key = ''] = process.argv.slice(2);
let taken = 0;
const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  request.resume();
  if (request.method === 'POST') {
    taken += 1;
    response.writeHead(204).end();
  } else response.end(String(taken));
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1');
