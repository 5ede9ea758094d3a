/** Two whole services on one PostgreSQL, as their clients see them. Their keys are of one account. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually, freshNumber, problemOf, wrongCode } from '../../acceptance/client.ts';
import { type OwnPostgres, startOwnPostgres } from '../../postgres.ts';
import { type Service, startService } from '../../service.ts';
import { startStopwatch } from '../../stopwatch.ts';

const SECRET = 'a secret that both of the nodes know';

suite('two services on one PostgreSQL', () => {
  let postgres: OwnPostgres;
  let url: URL;
  let here: Service;
  let there: Service;

  before(async () => {
    // As an operator's is: doctor looks.
    postgres = await startOwnPostgres(() => ['-c', 'fsync=on']);
    url = new URL(await postgres.createDatabase());
    const options = {
      config: { limits: { sendsPerDestination: ['8/10m'] }, delivery: { lease: '3s' } },
      env: { COUNTERSIGN_STORE_URL: url.href, COUNTERSIGN_SECRET: SECRET },
    };
    here = await startService(options);
    there = await startService({ ...options, hasKeys: true });
  });
  after(async () => {
    await here[Symbol.asyncDispose]();
    await there[Symbol.asyncDispose]();
    await postgres.dispose();
  });

  test('a code asked for at one is confirmed at the other, once', async () => {
    const { id, code } = await here.client.issue(freshNumber());
    assert.equal(problemOf(await there.client.confirm(id, wrongCode(code))), 'code-mismatch');
    const both = [here, there].flatMap(({ client }) =>
      Array.from({ length: 20 }, () => client.confirm(id, code)),
    );
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, ...Array(39).fill(409)]);
  });

  test('requests for one number, half to each: no code too many', async () => {
    const number = freshNumber();
    const asked = [here, there].flatMap(({ client }) =>
      Array.from({ length: 30 }, () => client.verify(number)),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [...Array(8).fill(200), ...Array(52).fill(429)]);
  });

  test('one Idempotency-Key at both makes one verification', async () => {
    const headers = { 'idempotency-key': 'the-same-at-both' };
    const number = freshNumber();
    const answers = await Promise.all(
      [here, there].map(({ client }) => client.verify(number, 'sms', { headers })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(answers[0]?.json.id, answers[1]?.json.id);
  });

  test('a key revoked beside one is refused by both within a second', async () => {
    const key = await here.createKey('soon gone');
    for (const { client } of [here, there])
      assert.equal((await client.verify(freshNumber(), 'sms', { key })).status, 200);
    const [, id = ''] = /^(\S+) .*soon gone/m.exec(await there.command('keys', 'list')) ?? [];
    await there.command('keys', 'revoke', id);
    const watch = startStopwatch();
    for (const { client } of [here, there]) {
      await eventually(
        async () => (await client.verify(freshNumber(), 'sms', { key })).status === 401 || undefined,
      );
    }
    assert.ok(watch.read() < 1_000);
  });

  test('what a node that was killed left unsent, another sends', async () => {
    const numbers = Array.from({ length: 60 }, freshNumber);
    const answers = numbers.map((number) => there.client.verify(number).catch(() => undefined));
    await Promise.race(answers);
    await there.kill9();
    const issued = (await Promise.all(answers)).flatMap((answer) =>
      answer?.status === 200 ? [{ id: answer.json.id ?? '', number: answer.json.destination ?? '' }] : [],
    );
    assert.ok(issued.length > 0);
    for (const { id, number } of issued) {
      const found = await eventually(
        async () => (await here.client.messages(number)).find((message) => message.id === id),
        20_000,
      );
      assert.ok(found);
      assert.equal((await here.client.confirm(id, found.code)).status, 200);
    }
    await there.restart();
  });

  test('with the database away requests are told to come again, and are served when it is back', async () => {
    const { id, code } = await here.client.issue(freshNumber());
    await postgres.kill();
    for (const answer of [
      await here.client.verify(freshNumber()),
      await here.client.confirm(id, code),
      await here.client.get('/readyz'),
    ]) {
      assert.equal(answer.status, 503, answer.text);
      assert.ok(Number(answer.headers['retry-after']) > 0);
    }
    await postgres.start();
    const back = await eventually(async () => (await here.client.get('/readyz')).status === 200 || undefined);
    assert.equal(back, true);
    assert.equal((await here.client.confirm(id, code)).status, 200);
  });

  test('the password and the secret are in no log, nor anything about the database that holds them', async () => {
    for (const service of [here, there]) {
      assert.ok(!(await service.command('config', 'show')).includes(url.password));
      const findings = await service.command('doctor');
      assert.match(findings, /^ok +store: opens and commits, in PostgreSQL /m);
      assert.match(findings, /^ok +durability: commits reach the disk of the one server$/m);
      // What runs writes its log twice a second, and what stops writes all of it.
      assert.equal(await service.stop(), 0);
      const logs = service.logs();
      for (const secret of [url.password, SECRET]) assert.ok(!logs.includes(secret));
    }
  });
});
