/** A service that moves from its folder to a PostgreSQL goes on where it was: no promise made before is broken after. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seededDatabase } from '../../bench/data/seed.ts';
import { createWorkplace } from '../../src/cli/fixture.ts';
import { type Client, createClient, eventually, freshNumber, wrongCode } from '../acceptance/client.ts';
import { type Gateway, openGateway } from '../faults/gateway.ts';
import { freePort } from '../free-port.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { type Service, startService } from '../service.ts';
import { untilSeen } from './postgres/rig.ts';

const CLI = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));
const SENDS = 4;
const REQUESTS = 40;
const GUESSES = 5;
const BUDGET = 7;

let postgres: Postgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.dispose());

suite('a service that moved', () => {
  const parts = new AsyncDisposableStack();
  const secret = randomBytes(32).toString('hex');
  let gateway: Gateway;
  let old: Service;
  let client: Client;
  let printed: string;

  /** Made by the old service: ids and codes, by what was done with them. */
  const made: Record<string, { readonly id: string; readonly code: string; readonly number: string }> = {};
  let testKey: string;
  let limitedKey: string;
  let revokedKey: string;
  const waiting: string[] = [];
  const blocked = freshNumber();

  const codeOf = async (id: string) => {
    const message = await eventually(async () => gateway.received.find((message) => message.id === id));
    assert.ok(message !== undefined, `${id} did not arrive`);
    return message.code;
  };
  const idOf = async (by: Client, number: string, options = {}) => {
    const { status, json, text } = await by.verify(number, 'sms', options);
    assert.equal(status, 200, text);
    return json.id ?? '';
  };
  const issue = async (number = freshNumber()) => {
    const id = await idOf(old.client, number);
    return { id, number, code: await codeOf(id) };
  };
  const madeAs = (what: string) => {
    const found = made[what];
    assert.ok(found !== undefined);
    return found;
  };

  before(async () => {
    gateway = parts.use(await openGateway());
    const config = {
      secret,
      limits: {
        sendsPerDestination: [`${SENDS}/10m`],
        failedGuessesPerDestination: [`${BUDGET}/1d`],
        requestsPerKey: [`${REQUESTS}/1h`],
      },
      carriers: { gateway: gateway.carrier },
      routes: [
        { channel: 'sms', carriers: ['gateway'] },
        { channel: 'voice', carriers: ['simulator'] },
      ],
    };
    old = parts.use(await startService({ config }));
    for (const what of ['fresh', 'confirmed', 'guessed', 'repeated']) made[what] = await issue();
    assert.equal((await old.client.confirm(madeAs('confirmed').id, madeAs('confirmed').code)).status, 200);
    for (let i = 0; i < 2; i++) {
      const { id, code } = madeAs('guessed');
      assert.equal((await old.client.confirm(id, wrongCode(code))).json.attempts_remaining, GUESSES - 1 - i);
    }
    const spent = await issue();
    for (let i = 0; i < GUESSES; i++) await old.client.confirm(spent.id, wrongCode(spent.code));
    made.spent = spent;
    made.again = await issue(spent.number);
    for (let i = 0; i < SENDS - 1; i++) made.sent = await issue(made.sent?.number);
    const called = freshNumber();
    made.called = { ...(await old.client.issue(called, 'voice')), number: called };
    const number = freshNumber();
    const headers = { 'idempotency-key': 'order-17' };
    const id = await idOf(old.client, number, { headers });
    made.keyed = { id, number, code: await codeOf(id) };

    testKey = await old.createKey('test', { test: true });
    limitedKey = await old.createKey('limited', { test: true });
    const limited = { key: limitedKey };
    for (let i = 0; i < REQUESTS - 3; i++) await idOf(old.client, freshNumber(), limited);
    revokedKey = await old.createKey('revoked');
    await old.command('keys', 'revoke', revokedKey);
    await old.command('block', 'add', blocked);
    await old.command('block', 'add', '--range', '+88213');

    await gateway.close();
    for (let i = 0; i < 3; i++) waiting.push(await idOf(old.client, freshNumber()));
    assert.equal(await old.stop(), 0);
    await gateway.open();

    const url = await postgres.createDatabase();
    printed = await old.command('store', 'copy', '--from', `sqlite:${old.dataDir}`, '--to', url);
    const env = { COUNTERSIGN_STORE_URL: url };
    const moved = parts.use(await startService({ config, env, withoutKeys: true }));
    client = createClient({ baseUrl: moved.baseUrl, ca: moved.ca, key: old.key });
    parts.defer(() => client.close());
  });
  after(() => parts.disposeAsync());

  test('confirms an id of before with its code, once', async () => {
    const { id, code } = madeAs('fresh');
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.confirm(id, code)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...new Array(19).fill(409)]);
  });

  test('does not confirm again what was confirmed', async () => {
    const { id, code } = madeAs('confirmed');
    assert.equal((await client.confirm(id, code)).status, 409);
  });

  test('sends nothing to what is on the do-not-send list', async () => {
    assert.equal((await client.verify(blocked)).status, 400);
    assert.match(printed, /^ {2}1 numbers that accounts send nothing to$/m);
    assert.match(printed, /^ {2}1 ranges that accounts send nothing to$/m);
  });

  test('goes on with the guesses that were left', async () => {
    const { id, code } = madeAs('guessed');
    const { json } = await client.confirm(id, wrongCode(code));
    assert.equal(json.attempts_remaining, GUESSES - 3);
    assert.equal((await client.confirm(id, code)).status, 200);
  });

  test('goes on with the failed guesses of a destination', async () => {
    const { id, code } = madeAs('again');
    const remaining: (number | undefined)[] = [];
    for (let i = GUESSES; i < BUDGET; i++) {
      remaining.push((await client.confirm(id, wrongCode(code))).json.attempts_remaining);
    }
    assert.deepEqual(remaining, [1, 0]);
    const { status, text } = await client.confirm(id, code);
    assert.notEqual(status, 200, text);
    const exhausted = madeAs('spent');
    assert.notEqual((await client.confirm(exhausted.id, exhausted.code)).status, 200);
  });

  test('goes on with the sends to a destination', async () => {
    const { number } = madeAs('sent');
    assert.deepEqual(
      [(await client.verify(number)).status, (await client.verify(number)).status],
      [200, 429],
    );
  });

  test('goes on with the requests of a key', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await client.verify(freshNumber(), 'sms', { key: limitedKey })).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  });

  test('answers a request that is repeated under its Idempotency-Key with the id of before', async () => {
    const { id, number, code } = madeAs('keyed');
    const headers = { 'idempotency-key': 'order-17' };
    assert.equal((await client.verify(number, 'sms', { headers })).json.id, id);
    assert.equal((await client.verify(freshNumber(), 'sms', { headers })).status, 422);
    assert.equal((await client.confirm(id, code)).status, 200);
  });

  test('shows the messages of the simulator', async () => {
    const { id, code, number } = madeAs('called');
    const [message] = await client.messages(number);
    assert.deepEqual([message?.id, message?.code], [id, code]);
    assert.equal((await client.confirm(id, code)).status, 200);
  });

  test('delivers what waited, and nothing else again', async () => {
    for (const id of waiting) assert.equal((await client.confirm(id, await codeOf(id))).status, 200);
    for (const { id } of Object.values(made)) {
      assert.ok(gateway.received.filter((message) => message.id === id).length <= 1);
    }
  });

  test('knows the keys, and which of them are revoked', async () => {
    const { status } = await client.verify(freshNumber(), 'sms', { key: testKey });
    assert.equal(status, 200);
    assert.equal((await client.verify(freshNumber(), 'sms', { key: revokedKey })).status, 401);
  });

  test('was told what was copied', () => {
    assert.match(printed, /the counts match on both sides/);
    assert.match(printed, /^ {2}1 accounts$/m);
    assert.match(printed, /^ {2}4 API keys$/m);
    assert.match(printed, /^ {2}3 waiting deliveries$/m);
  });
});

suite('a copy is refused, and leaves both sides as they were,', () => {
  const secret = randomBytes(32).toString('hex');
  const parts = new AsyncDisposableStack();
  let service: Service;
  let empty: string;

  /** What standard error says of a copy that fails. */
  const refusal = async (...args: string[]): Promise<string> => {
    try {
      await service.command('store', 'copy', ...args);
    } catch (error) {
      return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    }
    throw new Error('it was not refused');
  };
  const fromHere = () => `sqlite:${service.dataDir}`;

  before(async () => {
    service = parts.use(await startService({ config: { secret } }));
    await service.client.issue(freshNumber());
    empty = await postgres.createDatabase();
  });
  after(() => parts.disposeAsync());

  test('while a service is running in the folder', async () => {
    assert.match(
      await refusal('--from', fromHere(), '--to', empty),
      /a service is running in .*stop it first/,
    );
    await service.stop();
  });

  test('when the database holds anything', async () => {
    const taken = await postgres.createDatabase();
    await service.stop();
    const printed = await service.command('store', 'copy', '--from', fromHere(), '--to', taken, '--json');
    const { from, to, copied } = JSON.parse(printed);
    assert.equal(from, service.dataDir);
    assert.ok(taken.includes(to));
    assert.partialDeepStrictEqual(copied, { accounts: 1, 'API keys': 1, verifications: 1 });
    assert.match(
      await refusal('--from', fromHere(), '--to', taken),
      /is not empty \(account, api_key, audit_entry, audit_head, verification.*use a new one/,
    );
  });

  test('when the secret in force is another', async () => {
    await service.stop();
    using place = createWorkplace();
    const env = { COUNTERSIGN_SECRET: randomBytes(32).toString('hex') };
    const { status, stderr } = await place.run(['store', 'copy', '--from', fromHere(), '--to', empty], env);
    assert.equal(status, 1);
    assert.match(stderr, /does not open the store .*; set `secret`/);
  });

  for (const [what, args, expected] of [
    ['without --to and store.url', ['--from', 'sqlite:x'], /--to is missing/],
    [
      'from what is no folder',
      ['--from', 'postgres://a/b', '--to', 'postgres://localhost/b'],
      /--from is not/,
    ],
    [
      'from a folder without a store',
      ['--from', 'sqlite:nowhere', '--to', 'postgres://localhost/b'],
      /there is no store/,
    ],
    [
      'over a way that is not secured',
      ['--from', 'sqlite:x', '--to', 'postgres://u:pa55@db.example/b'],
      /--to does not say/,
    ],
    [
      'to another kind of database',
      ['--from', 'sqlite:x', '--to', 'mysql://u:pa55@localhost/b'],
      /--to is not a PostgreSQL URL/,
    ],
  ] as const) {
    test(what, async () => {
      const said = await refusal(...args);
      assert.match(said, expected);
      assert.doesNotMatch(said, /pa55/);
    });
  }

  test('when the database is away', async () => {
    await service.stop();
    const away = `postgres://u:pa55@127.0.0.1:${await freePort()}/b`;
    const said = await refusal('--from', fromHere(), '--to', away);
    assert.match(said, /the database 127\.0\.0\.1:\d+\/b cannot be used \(.*ECONNREFUSED/);
    assert.doesNotMatch(said, /pa55/);
  });
});

/** The copy's session, while it writes the largest table. */
const WRITING_VERIFICATIONS = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'INSERT INTO verification (%'`;

test('a copy that is killed leaves no row, and the next one goes through', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-copy-'));
  await using parts = new AsyncDisposableStack();
  parts.defer(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await rename(await seededDatabase(folder, 20_000), join(dataDir, 'countersign.db'));
  const secret = randomBytes(32).toString('hex');
  const service = parts.use(await startService({ config: { secret }, dataDir }));
  // What was written last says whose secret it is.
  await service.client.issue(freshNumber());
  await service.stop();
  const url = await postgres.createDatabase();
  const args = ['store', 'copy', '--from', `sqlite:${dataDir}`, '--to', url];

  const copy = spawn(process.execPath, [CLI, ...args], {
    env: { COUNTERSIGN_SECRET: secret },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(copy, 'close');
  const said = text(copy.stderr);
  await untilSeen(url, WRITING_VERIFICATIONS, () => copy.exitCode !== null);
  copy.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.match(await said, /^store: .*\n$/, 'no progress where there is no terminal');
  assert.match(await service.command(...args), /^ {2}\d{5} verifications$/m);
});
