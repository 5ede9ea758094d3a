/**
 * A service that is set up before it starts, as in CI: its key is preset, its certificate has the names that clients use, and
 * nobody reads its output. Clients that are not installed here are skipped.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import project from '../../package.json' with { type: 'json' };
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';

const NAME = 'countersign.test';
/** Of this machine, but not among the addresses that the certificate always has. */
const ADDRESS = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

suite('a service that is set up before it starts', () => {
  const parts = new AsyncDisposableStack();
  const { key, prefix } = mintKey(SYSTEM_RANDOM, true);
  const env = { COUNTERSIGN_BOOTSTRAP_KEY: key };
  let dataDir: string;
  let first: Service;
  let service: Service;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-preset-'));
    parts.defer(() => rm(dataDir, { recursive: true }));
    first = parts.use(await startService({ dataDir, env, withoutKeys: true }));
    await first.stop();
    const config = { tls: { names: [NAME, ADDRESS] } };
    service = parts.use(await startService({ dataDir, env, config, withoutKeys: true }));
  });
  after(() => parts.disposeAsync());

  const verify = () => service.client.verify(freshNumber(), 'sms', { key });
  const listKeys = async () => JSON.parse(await service.command('keys', 'list', '--json'));

  test('has its key from the first start on, and no other', async () => {
    assert.equal((await verify()).status, 200);
    const [made, ...others] = await listKeys();
    assert.partialDeepStrictEqual(made, { prefix, account: 'default', test: true, revoked_at: null });
    assert.deepEqual(others, []);
    assert.match(first.logs(), /the first key was made from bootstrap\.key/);
    assert.doesNotMatch(first.logs() + service.logs(), /shown only now/);
  });

  test('begins its log with its version', () => {
    const [line = ''] = first.logs().match(/^\{.*$/m) ?? [];
    const { version, node, msg } = JSON.parse(line);
    assert.deepEqual([version, node, msg], [project.version, process.versions.node, 'starting']);
  });

  /** What the client prints; undefined if there is no such client here. */
  const ask = (
    [program = '', ...args]: readonly string[],
    check: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): string | undefined => {
    if (spawnSync(program, check).status !== 0) return undefined;
    const { stdout, stderr } = spawnSync(program, args, {
      env: { ...process.env, ...variables },
      encoding: 'utf8',
      timeout: 20_000,
    });
    return stdout + stderr;
  };
  const urlAt = (host: string) => `https://${host}:${service.port}/healthz`;
  const certificate = () => join(dataDir, 'tls-cert.pem');
  const python = (imported: string, expression: string) => ({
    command: () => [
      'python3',
      '-c',
      `import ${imported}\nprint(${expression})`.replace('URL', urlAt(ADDRESS)),
    ],
    check: ['-c', `import ${imported}`],
  });

  const clients = {
    'curl --cacert': {
      command: () => [
        ...['curl', '-sS', '--cacert', certificate()],
        ...['--resolve', `${NAME}:${service.port}:127.0.0.1`, urlAt(NAME)],
      ],
      check: ['--version'],
    },
    'Node, NODE_EXTRA_CA_CERTS': {
      command: () => [
        ...[process.execPath, '-e', 'fetch(process.argv[1]).then((got) => got.text()).then(console.log)'],
        urlAt(ADDRESS),
      ],
      check: ['--version'],
      variable: 'NODE_EXTRA_CA_CERTS',
    },
    'Python, SSL_CERT_FILE': {
      ...python('urllib.request', "urllib.request.urlopen('URL').read().decode()"),
      variable: 'SSL_CERT_FILE',
    },
    'Python requests, REQUESTS_CA_BUNDLE': {
      ...python('requests', "requests.get('URL').text"),
      variable: 'REQUESTS_CA_BUNDLE',
    },
    'Python httpx, SSL_CERT_FILE': {
      ...python('httpx', "httpx.get('URL').text"),
      variable: 'SSL_CERT_FILE',
    },
  };
  for (const [client, { command, check, ...others }] of Object.entries(clients)) {
    test(`is trusted by its names: ${client}`, (t) => {
      const variables = 'variable' in others ? { [others.variable]: certificate() } : {};
      const said = ask(command(), check, variables);
      if (said === undefined) return t.skip('it is not installed here');
      assert.match(said, new RegExp(`"version":"${project.version}"`));
    });
  }

  test('is trusted by nobody who was not told', () => {
    const { command, check } = clients['Node, NODE_EXTRA_CA_CERTS'];
    assert.match(ask(command(), check) ?? '', /DEPTH_ZERO_SELF_SIGNED_CERT/);
  });

  test('says that it made another certificate for the new names', async () => {
    // The log is written in batches.
    const line = await eventually(async () => /^.*"names".*$/m.exec(service.logs())?.[0]);
    assert.deepEqual(JSON.parse(line ?? '{}').names, ADDRESS === '127.0.0.2' ? [NAME, ADDRESS] : [NAME]);
  });

  test('leaves a key alone that its owner revoked', async () => {
    await service.command('keys', 'revoke', prefix);
    assert.equal(await service.stop(), 0);
    await service.restart();
    assert.equal((await verify()).status, 401);
    const keys = await listKeys();
    assert.equal(keys.length, 1);
    assert.notEqual(keys[0].revoked_at, null);
    assert.equal(await service.stop(), 0);
    assert.match(service.logs(), /bootstrap\.key was revoked, and stays so/);
    assert.ok(!(first.logs() + service.logs()).includes(key), 'the key is not in the log');
  });
});
