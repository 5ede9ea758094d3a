/** A stand-in for the host of SNS, where a service fetches the certificate that messages are signed with: it is led there as to any proxy. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { CERTIFICATE, cert } from './sns.ts';

export interface SnsHost extends AsyncDisposable {
  /** With these, a process of Node asks here. */
  readonly env: Readonly<Record<string, string>>;
}

export async function openSnsHost(): Promise<SnsHost> {
  const { hostname, pathname } = new URL(CERTIFICATE);
  const own = await generate([{ name: 'commonName', value: hostname }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] }],
  });
  const folder = await mkdtemp(join(tmpdir(), 'countersign-sns-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, own.cert);

  const host = createTlsServer({ key: own.private, cert: own.cert }, ({ url }, response) => {
    const isThere = url === pathname;
    response.writeHead(isThere ? 200 : 404).end(isThere ? cert : '');
  });
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', ({ url }, socket) => {
    if (url !== `${hostname}:443`) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const through = connect(portOf(host), '127.0.0.1', () =>
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n'),
    );
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy());
    return socket.pipe(through).pipe(socket);
  });
  for (const server of [host, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    env: {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: ca,
    },
    async [Symbol.asyncDispose]() {
      for (const server of [proxy, host]) {
        server.closeAllConnections();
        server.close();
      }
      await rm(folder, { recursive: true });
    },
  };
}

const portOf = (server: { address(): AddressInfo | string | null }): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};
