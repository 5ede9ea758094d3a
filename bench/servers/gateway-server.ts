/** A gateway in a process of its own, so that its work is not counted with that of its clients. */
import { createServer } from 'node:http';

const [port] = process.argv.slice(2);
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM0123456789abcdef"}');
  });
});
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1');
