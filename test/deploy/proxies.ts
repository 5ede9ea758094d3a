/** The examples in deploy/proxies/, run by the real programs, where the machine has them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPairFiles } from '../../src/http/connection/key-pair.ts';
import { freePort } from '../free-port.ts';
import { isRunning, outputOf, untilListening } from '../started.ts';
import { readProjectFile } from './project.ts';

export interface Proxy extends AsyncDisposable {
  readonly port: number;
}

/** What an example finds where it runs: files in its folder, and ports in place of those that it names. */
interface Place {
  readonly folder: string;
  /** The proxy's own. */
  readonly port: number;
  /** The service's. */
  readonly service: number;
  /** A free one, for what else the program opens. */
  readonly other: number;
}

interface Example {
  /** The files, by their names in the place's folder. The command line and the other files refer to them by these. */
  readonly files: Readonly<Record<string, string>>;
  /** What else the program needs, by file name. */
  readonly around?: (place: Place) => Readonly<Record<string, string>>;
  /** Each text that is replaced, and by what. Nothing else differs from the example, and each has to be there. */
  readonly changes: (place: Place) => readonly (readonly [from: string, to: string])[];
  readonly args: (folder: string) => readonly string[];
}

const CERTIFICATES = '/etc/countersign/tls-';

export const EXAMPLES = {
  nginx: {
    files: { 'countersign.conf': 'nginx.conf' },
    // What includes conf.d/ in a distribution's nginx.conf. One process, so that nothing outlives it.
    around: ({ folder }) => ({
      'nginx.conf': `
        daemon off; master_process off; pid ${folder}/pid; error_log stderr;
        events {}
        http {
          ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
          include ${folder}/countersign.conf;
        }`,
    }),
    changes: ({ folder, port, service }) => [
      ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
      ['127.0.0.1:8443', `127.0.0.1:${service}`],
      [CERTIFICATES, `${folder}/tls-`],
    ],
    args: (folder) => ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
  },
  haproxy: {
    files: { 'haproxy.cfg': 'haproxy.cfg' },
    changes: ({ folder, port, service, other }) => [
      ['bind :8443', `bind 127.0.0.1:${port}`],
      ['bind 127.0.0.1:8404', `bind 127.0.0.1:${other}`],
      ['countersign:8443', `127.0.0.1:${service}`],
      ['/run/secrets/tls-', `${folder}/tls-`],
    ],
    args: (folder) => ['-db', '-f', join(folder, 'haproxy.cfg')],
  },
  caddy: {
    files: { Caddyfile: 'Caddyfile' },
    changes: ({ folder, port, service }) => [
      // Another Caddy on this machine may have the port of its API.
      ['auto_https disable_redirects', 'auto_https disable_redirects\n\tadmin off'],
      ['verify.example.com', `localhost:${port}`],
      ['127.0.0.1:8443', `127.0.0.1:${service}`],
      [CERTIFICATES, `${folder}/tls-`],
    ],
    args: (folder) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
  },
  traefik: {
    files: { 'traefik.yaml': 'traefik/traefik.yaml', 'countersign.yaml': 'traefik/countersign.yaml' },
    changes: ({ folder, port, service }) => [
      ['":443"', `"127.0.0.1:${port}"`],
      ['/etc/traefik/', `${folder}/`],
      ['verify.example.com', 'localhost'],
      ['127.0.0.1:8443', `127.0.0.1:${service}`],
      [CERTIFICATES, `${folder}/tls-`],
    ],
    args: (folder) => [`--configFile=${join(folder, 'traefik.yaml')}`],
  },
} satisfies Record<string, Example>;

/** Undefined where the program is not installed. */
export async function startProxy(
  program: keyof typeof EXAMPLES,
  service: number,
  { cert, key }: KeyPairFiles,
): Promise<Proxy | undefined> {
  const folder = await mkdtemp(join(tmpdir(), `countersign-${program}-`));
  const place = { folder, service, port: await freePort(), other: await freePort() };
  await layOut(EXAMPLES[program], place);
  await cp(cert, join(folder, 'tls-cert.pem'));
  for (const name of ['tls-key.pem', 'tls-cert.pem.key']) await cp(key, join(folder, name));

  const child = spawn(program, EXAMPLES[program].args(folder), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Caddy keeps what it remembers at home.
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
  });
  // Also if the runner ends this process early.
  const sweep = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', sweep);
  const dispose = async () => {
    process.off('exit', sweep);
    if (isRunning(child)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    sweep();
  };
  const { said } = outputOf(child);
  const isInstalled = await once(child, 'spawn').then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    await dispose();
    return undefined;
  }
  if (!(await untilListening(child, place.port))) {
    await dispose();
    throw new Error(`${program} does not listen:\n${said()}`);
  }
  return { port: place.port, [Symbol.asyncDispose]: dispose };
}

async function layOut({ files, around, changes }: Example, place: Place): Promise<void> {
  const unused = new Map(changes(place));
  for (const [name, path] of Object.entries(files)) {
    let text = readProjectFile(`deploy/proxies/${path}`);
    for (const [from, to] of changes(place)) {
      if (text.includes(from)) unused.delete(from);
      text = text.replaceAll(from, to);
    }
    await writeFile(join(place.folder, name), text);
  }
  if (unused.size > 0) throw new Error(`the example does not say: ${[...unused.keys()].join(', ')}`);
  for (const [name, text] of Object.entries(around?.(place) ?? {}))
    await writeFile(join(place.folder, name), text);
}
