/** The ceiling that an account has of its own is what every door applies, from the next code after a reload. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { eventually, freshNumber, problemOf, wrongCode } from '../acceptance/client.ts';
import { type Doors, openDoors, postTwilio } from './doors.ts';

for (const kind of ['embedded', 'shared'] as const) {
  suite(`an account’s own ceiling, with the ${kind} store`, () => {
    const parts = new AsyncDisposableStack();
    let doors: Doors;
    let config: object = {};
    let file: string;
    let reloads = 0;
    const write = (content: object) => writeFile(file, JSON.stringify(content));
    before(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'countersign-ceilings-'));
      parts.defer(() => rm(folder, { recursive: true }));
      file = join(folder, 'countersign.yaml');
      const remember = async (whole: object) => {
        config = whole;
        await write(whole);
      };
      doors = parts.use(
        await openDoors(
          kind,
          {
            limits: {
              requestsPerKey: [],
              sendsPerDestination: ['1/1h'],
              failedGuessesPerDestination: ['9/1h'],
            },
          },
          { env: { COUNTERSIGN_CONFIG: file }, write: remember },
        ),
      );
    });
    after(() => parts.disposeAsync());

    /** Has the service read it in place of its configuration. */
    async function read(content: object) {
      const { service } = doors;
      await write(content);
      process.kill(service.pid, 'SIGHUP');
      reloads += 1;
      const lines = () => service.logs().split('"config.reloaded"').length - 1;
      assert.ok(await eventually(async () => lines() === reloads || undefined), service.logs());
    }
    async function reload(sendsPerDestination: readonly string[], wrong: readonly string[] = ['9/1h']) {
      const { account } = doors;
      const limits = { sendsPerDestination, failedGuessesPerDestination: wrong };
      await read({ ...config, accounts: { [account.id]: { limits } } });
    }

    test('is what each door lets through, and no more', async () => {
      await reload(['2/1h']);
      const others = await doors.service.createKey('other', { account: 'other' });
      for (const { name, ask } of doors.all) {
        const number = freshNumber();
        const said = [await ask(number), await ask(number), await ask(number)];
        const refused = name === 'backend of the web component' ? 'limited' : 'quota-exceeded';
        assert.deepEqual(said, ['sent', 'sent', refused], name);
        // Of the service's, beside it.
        const ofOther = [0, 1].map(() => doors.service.client.verify(number, 'sms', { key: others }));
        const statuses = (await Promise.all(ofOther)).map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, 429], name);
      }
    });

    test('holds from the next code after a reload, whether it is lowered, raised or gone', async () => {
      const { all, service, key } = doors;
      const [rest, , , facade] = all;
      const kratos = all.find(({ name }) => name === 'kratos');
      assert.ok(rest && facade && kratos);
      const number = freshNumber();
      await reload(['3/1h']);
      assert.deepEqual([await rest.ask(number), await facade.ask(number)], ['sent', 'sent']);
      await reload(['2/1h']);
      for (const { name, ask } of [rest, facade, kratos])
        assert.equal(await ask(number), 'quota-exceeded', name);
      await reload(['4/1h']);
      assert.deepEqual([await kratos.ask(number), await facade.ask(number)], ['sent', 'sent']);
      const refused = await service.client.verify(number, 'sms', { key });
      assert.equal(refused.headers['ratelimit-policy'], '"destination-1h";q=4;w=3600');
      await read(config);
      const [next, other] = [freshNumber(), await rest.ask(number)];
      assert.deepEqual(
        [other, await rest.ask(next), await rest.ask(next)],
        ['quota-exceeded', 'sent', 'quota-exceeded'],
      );
    });

    test('is of wrong codes, too, through /confirm and the façade', async () => {
      const { service, key, gateway } = doors;
      const { client } = service;
      await reload(['9/1h'], ['2/1h']);
      const number = freshNumber();
      const { json } = await client.verify(number, 'sms', { key });
      const id = json.id ?? '';
      const arrived = async () => gateway.received.find((message) => message.id === id)?.code;
      const code = (await eventually(arrived)) ?? assert.fail('not sent');
      const guess = async () => problemOf(await client.confirm(id, wrongCode(code), { key }));
      const check = async (Code: string) => {
        const { status, text } = await postTwilio(service, key, 'VerificationCheck', { To: number, Code });
        return [status, JSON.parse(text)];
      };
      assert.equal(await guess(), 'code-mismatch');
      assert.partialDeepStrictEqual(await check(wrongCode(code)), [200, { status: 'pending', valid: false }]);
      assert.equal(await guess(), 'attempts-exhausted');
      assert.partialDeepStrictEqual(await check(code), [429, { code: 60202 }]);
      await reload(['9/1h'], ['3/1h']);
      assert.equal(await guess(), 'code-mismatch');
      assert.equal(await guess(), 'attempts-exhausted');
      await reload(['9/1h']);
      assert.partialDeepStrictEqual(await check(code), [200, { status: 'approved', valid: true }]);
    });

    test('is nothing to a test key', async () => {
      const { service, twilio, account } = doors;
      await reload(['1/1h'], ['1/1h']);
      const secret = await account.createKey({ test: true });
      const number = freshNumber();
      for (let i = 0; i < 3; i++) {
        assert.equal(await twilio(secret).ask(number), 'sent');
        const { id, code } = await service.client.issue(number, 'sms', { key: secret });
        const wrong = await service.client.confirm(id, wrongCode(code), { key: secret });
        assert.equal(problemOf(wrong), 'code-mismatch');
        assert.equal((await service.client.confirm(id, code, { key: secret })).status, 200);
      }
    });
  });
}
