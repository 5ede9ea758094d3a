/** Checks what deployments say about the service against the service itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it, test } from 'node:test';
import { parse } from 'yaml';
import { loadText } from '../../src/config/fixture.ts';
import { readKeyPair } from '../../src/http/connection/key-pair.ts';
import { PATIENCE } from '../../src/http/connection/listener.ts';
import { createFixture } from '../../src/http/fixture.ts';
import { matchAddresses } from '../../src/http/proxy/peer.ts';
import { listProjectFiles, ROOT, readProjectFile, VARIABLES } from './project.ts';

const COMPOSE = parse(readProjectFile('deploy/compose.yaml'), { merge: true });
const UNIT = readProjectFile('deploy/systemd/countersign.service');
const BALANCER = readProjectFile('deploy/proxies/haproxy.cfg');
const DEPLOYMENT = readProjectFile('deploy/helm/countersign/templates/deployment.yaml');
const FILES = [...listProjectFiles('deploy'), 'docs/deployment.md', 'docs/operations.md'];

/** As the compose file writes it: its name, or what it is called in the container. */
type Secret = string | { readonly source: string; readonly target: string };

/** The certificate of the load balancer, and its key, which HAProxy looks for beside it. */
const BALANCED_WITH = Array.from(BALANCER.matchAll(/ ssl crt (\S+)/g), ([, crt]) => [
  `${crt}`,
  `${crt}.key`,
]).flat();

/** Of our image, of a checkout (`--branch v1.2.3`), of the chart and of a package of ours. */
const VERSIONS =
  /(?:countersign:|--branch v|^appVersion: |image\.version="|^ {2}"version": ")(\d+\.\d+\.\d+)/gm;

function match(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? assert.fail(`no ${pattern}`);
}

test('every variable that a deployment sets exists in the service', () => {
  const unknown = FILES.flatMap((file) =>
    Array.from(readProjectFile(file).matchAll(/\bCOUNTERSIGN_[A-Z_]+\b/g), ([name]) => `${file}: ${name}`),
  ).filter((entry) => !VARIABLES.has(entry.split(': ')[1] ?? ''));
  assert.deepEqual(unknown, []);
});

test('every probed path exists', async (t) => {
  const { app } = await createFixture(t);
  const probes = [
    ...DEPLOYMENT.matchAll(/httpGet: { path: (\S+),/g),
    ...BALANCER.matchAll(/http-check send meth GET uri (\S+)/g),
    ...readProjectFile('deploy/container/health.js').matchAll(/path: '(.+?)'/g),
  ].map(([, path = '']) => path);
  assert.equal(probes.length, 6);
  for (const path of probes) assert.equal((await app.inject(path)).statusCode, 200, path);
});

test('every deployment waits equally long for a graceful stop', () => {
  const { lifecycle, grace } = {
    lifecycle: Number(match(DEPLOYMENT, /sleep: { seconds: (\d+) }/)),
    grace: Number(match(DEPLOYMENT, /terminationGracePeriodSeconds: (\d+)/)),
  };
  const seconds = [
    match(COMPOSE.services.countersign.stop_grace_period, /^(\d+)s$/),
    match(UNIT, /^TimeoutStopSec=(\d+)s$/m),
    String(grace - lifecycle),
  ];
  assert.deepEqual(seconds, ['40', '40', '40']);
});

test('a reload that comes too early leaves the unit running', () => {
  assert.match(UNIT, /^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  assert.match(UNIT, /^RestartForceExitStatus=SIGHUP$/m);
});

test('the unit runs what `npm start` runs', () => {
  const { scripts } = JSON.parse(readProjectFile('package.json'));
  const command = match(UNIT, /^ExecStart=\/bin\/sh -c '(exec .*)'$/m).replaceAll(
    /\/opt\/countersign\/(node_modules\/node-linux-\*\/bin\/)?/g,
    '',
  );
  assert.equal(command, scripts.start);
});

test('where documents and deployments name a version, it is this one', () => {
  const { version } = JSON.parse(readProjectFile('package.json'));
  const named = [...FILES, 'README.md', 'portal/package.json'].flatMap((file) =>
    Array.from(readProjectFile(file).matchAll(VERSIONS), ([, found]) => `${file}: ${found}`),
  );
  assert.ok(named.length >= 4, 'the chart, the image and the documents name it');
  assert.deepEqual(
    named.filter((entry) => !entry.endsWith(`: ${version}`)),
    [],
  );
  const { packages } = JSON.parse(readProjectFile('package-lock.json'));
  assert.deepEqual([packages[''].version, packages.portal.version], [version, version]);
});

describe('the compose file', () => {
  const { services, secrets } = COMPOSE;

  it('hands every secret to those that name it, from a file without which nothing starts', () => {
    for (const [name, service] of Object.entries<{ environment?: object; secrets?: Secret[] }>(services)) {
      const mounted = (service.secrets ?? []).map((secret) =>
        typeof secret === 'string' ? { source: secret, target: secret } : secret,
      );
      const named = [
        ...Object.values(service.environment ?? {}),
        ...(name === 'load-balancer' ? BALANCED_WITH : []),
      ]
        .filter((value) => String(value).startsWith('/run/secrets/'))
        .map((value) => String(value).replace('/run/secrets/', ''));
      assert.deepEqual(named.sort(), mounted.map(({ target }) => target).sort(), name);
      for (const { source } of mounted) assert.equal(secrets[source].file, `./secrets/${source}`);
      for (const [key, value] of Object.entries(service.environment ?? {})) {
        if (/PASSWORD|SECRET|TOKEN|URL/.test(key)) assert.match(`${key}=${value}`, /_FILE=\/run\/secrets\//);
      }
    }
  });

  it('gives every service a limit, a check and a restart', () => {
    for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
      assert.equal(service.restart, 'unless-stopped', name);
      assert.ok(name === 'countersign' || service.healthcheck !== undefined, name);
      assert.ok(JSON.stringify(service.deploy).includes('"memory"'), name);
    }
    assert.equal(services.countersign.deploy.replicas, 2);
  });

  it('mounts the folder of the configuration, so that a file that was replaced is read again', () => {
    const text = readProjectFile('deploy/compose.yaml');
    const [folder = '', target = ''] = match(text, /^ {4}# volumes: \["(.+?):ro"\]$/m).split(':');
    const named = match(text, /^ {6}# COUNTERSIGN_CONFIG: (\S+)$/m);
    assert.equal(dirname(named), target);
    assert.ok(text.includes(`deploy/${join(folder, basename(named))}`));
  });

  it('has a place for the socket of `config reload` and of the health check, for the image’s user', () => {
    const dockerfile = readProjectFile('deploy/container/Dockerfile');
    const [uid, gid] = match(dockerfile, /^USER (\S+)$/m).split(':');
    const folder = match(dockerfile, /COUNTERSIGN_DATA_DIR=(\S+)/);
    assert.deepEqual(services.countersign.tmpfs, [`${folder}:mode=0700,uid=${uid},gid=${gid}`]);
  });

  it('mounts and builds from files that exist', () => {
    assert.ok(statSync(join(ROOT, 'deploy', services.countersign.build.context)).isDirectory());
    assert.ok(statSync(join(ROOT, services.countersign.build.dockerfile)).isFile());
    assert.deepEqual(services['load-balancer'].volumes, [
      './proxies/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro',
    ]);
    assert.ok(statSync(join(ROOT, 'deploy/proxies/haproxy.cfg')).isFile());
  });
});

describe('the load balancer', () => {
  it('alone is believed about clients’ addresses, and nobody else can have its own', () => {
    const { ipv4_address: address } = COMPOSE.services['load-balancer'].networks.front;
    const { trustProxy } = loadText('', {
      TRUST_PROXY: COMPOSE.services.countersign.environment.COUNTERSIGN_TRUST_PROXY,
    });
    assert.deepEqual(trustProxy, [address]);
    const [{ subnet, gateway, ip_range: handedOut }] = COMPOSE.networks.front.ipam.config;
    assert.ok(matchAddresses([subnet])(address) && matchAddresses([subnet])(gateway));
    assert.ok(!matchAddresses([handedOut, gateway])(address));
  });

  it('finds the nodes by their name and port', () => {
    const targets = Array.from(BALANCER.matchAll(/server-template node \d+ (\S+)/g), ([, target]) => target);
    assert.deepEqual(targets, Array(2).fill(`countersign:${loadText('').port}`));
  });

  it('leaves it to the nodes to close silent connections', () => {
    const timeouts = Array.from(BALANCER.matchAll(/timeout (?:client|server) (\d+)s/g), ([, value]) =>
      Number(value),
    );
    assert.equal(timeouts.length, 2);
    for (const timeout of timeouts) assert.ok(timeout * 1_000 > PATIENCE.keepAlive);
  });

  it('listens where the compose file looks for it', () => {
    const { ports, healthcheck } = COMPOSE.services['load-balancer'];
    assert.ok(ports[0].endsWith(match(BALANCER, /frontend https\n\s+bind (:\d+)/)));
    const address = match(BALANCER, /bind (127\S+)/);
    assert.equal(healthcheck.test.at(-1), `http://${address}${match(BALANCER, /monitor-uri (\S+)/)}`);
  });
});

test('create-secrets.sh makes the secrets that the compose file names, once', async (t) => {
  if (spawnSync('openssl', ['version']).status !== 0) return t.skip('there is no openssl');
  const folder = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = join(folder, 'create-secrets.sh');
  cpSync(join(ROOT, 'deploy/create-secrets.sh'), script);
  const run = () => spawnSync(script, ['verify.example.com'], { encoding: 'utf8' });
  assert.equal(run().status, 0);

  const made = join(folder, 'secrets');
  const read = (name: string) => readFileSync(join(made, name), 'utf8');
  assert.deepEqual(readdirSync(made).sort(), Object.keys(COMPOSE.secrets).sort());
  assert.equal(statSync(made).mode & 0o777, 0o700);
  const { SECRET_FILE, METRICS_TOKEN_FILE } = { SECRET_FILE: 'secret', METRICS_TOKEN_FILE: 'metrics-token' };
  loadText('', { SECRET_FILE: join(made, SECRET_FILE), METRICS_TOKEN_FILE: join(made, METRICS_TOKEN_FILE) });
  await readKeyPair({ cert: join(made, 'tls-cert.pem'), key: join(made, 'tls-key.pem') });
  const { hostname, username, password, pathname } = new URL(read('store-url'));
  const { POSTGRES_USER, POSTGRES_DB } = COMPOSE.services.postgres.environment;
  assert.deepEqual(
    { hostname, username, password, pathname },
    {
      hostname: 'postgres',
      username: POSTGRES_USER,
      password: read('postgres-password'),
      pathname: `/${POSTGRES_DB}`,
    },
  );

  const before = read('secret');
  assert.notEqual(run().status, 0);
  assert.equal(read('secret'), before);
  return undefined;
});
