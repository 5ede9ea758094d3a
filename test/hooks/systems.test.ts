/** Each system has a code sent to a service: genuine, forged, and again. */
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import type { HookSystem } from '../../src/core/hooks/system.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { eventually, problemOf } from '../acceptance/client.ts';
import { assertNothingIn, assertNothingOnDisk, Evidence } from '../faults/evidence.ts';
import { type Service, startService } from '../service.ts';
import { addKey } from './hook-key.ts';
import { createSystems, hooksOf, type Sent, type System } from './systems.ts';

const { key } = mintKey(SYSTEM_RANDOM, true);
/** Live keys that the store does not know when the service starts. */
const late = mintKey(SYSTEM_RANDOM, false);
const live = mintKey(SYSTEM_RANDOM, false);
const other = mintKey(SYSTEM_RANDOM, true);
const systems = createSystems(key);
const SECRETS = systems.flatMap(({ secret }) => secret?.replace(/^(v1,)?whsec_/, '') ?? []);
const evidence = new Evidence([key, late.key, live.key, other.key, ...SECRETS]);

const HOOKS = {
  ...hooksOf(systems, key),
  late: { system: 'kratos', key: late.key },
  live: { system: 'kratos', key: live.key },
  named: { system: 'kratos', key, channel: 'voice', template: 'login', locale: 'de' },
};

suite('hooks', () => {
  let service: Service;

  before(async () => {
    service = await startService({
      presetKey: key,
      config: {
        hooks: HOOKS,
        messages: { named: { login: { de: { voice: 'Der Code für {{brand}} ist {{code}}.' } } } },
      },
    });
  });
  after(() => service[Symbol.asyncDispose]());

  const post = async (name: string, { headers, body }: Sent) => {
    const answer = await service.client.post(`/hooks/${name}`, undefined, { key: null, raw: body, headers });
    return answer.status === 200 ? answer : evidence.keep(answer);
  };

  function fresh() {
    const number = evidence.number();
    const code = String(randomInt(1e9, 1e10));
    evidence.add(code);
    return { number, code };
  }

  /** Lines are written a moment after their request was answered. */
  async function expectLog(line: RegExp) {
    const found = await eventually(async () => line.test(service.logs()) || undefined);
    assert.ok(found, `the log has ${line}`);
  }

  const codesTo = async (number: string) => (await service.client.messages(number)).map(({ code }) => code);

  /** What was sent there, once nothing can be under way any more: messages to one number keep their order. */
  async function sentTo(number: string): Promise<string[]> {
    const { code: last } = await service.client.issue(number);
    return (await codesTo(number)).filter((code) => code !== last);
  }

  const change = (text: string) => text.slice(0, -3) + (text.at(-3) === '0' ? '1' : '0') + text.slice(-2);

  function forgeries({ name, secret, make }: System, number: string, code: string): [string, Sent][] {
    const genuine = make(number, code).send();
    const [proof = ''] = Object.keys(genuine.headers).filter((each) => /signature|authorization/i.test(each));
    const withProof = (text: string) => ({
      ...genuine,
      headers: { ...genuine.headers, [proof]: text },
    });
    const sooner = new Date(Date.now() - 301_000);
    const later = new Date(Date.now() + 310_000);
    const wrong = {
      supabase: `v1,whsec_${randomBytes(32).toString('base64')}`,
      clerk: `whsec_${randomBytes(32).toString('base64')}`,
    };
    const otherSecret =
      secret === undefined ? other.key : name === 'supabase' || name === 'clerk' ? wrong[name] : `${secret}x`;
    const isTimed = secret !== undefined && name !== 'authgear';
    return [
      ['another secret', make(number, code).send({ secret: otherSecret })],
      ['a changed proof', withProof(change(genuine.headers[proof] ?? ''))],
      ['an empty proof', withProof('')],
      [
        'no proof',
        {
          ...genuine,
          headers: Object.fromEntries(Object.entries(genuine.headers).filter(([each]) => each !== proof)),
        },
      ],
      ...(secret === undefined
        ? []
        : ([
            ['another body', { ...genuine, body: genuine.body.replaceAll(code, change(code)) }],
            [
              'the API key',
              { ...genuine, headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` } },
            ],
          ] satisfies [string, Sent][])),
      ...(isTimed
        ? ([
            ['an old time', make(number, code).send({ at: sooner })],
            ['a time to come', make(number, code).send({ at: later })],
          ] satisfies [string, Sent][])
        : []),
    ];
  }

  for (const system of systems) {
    const { name, make } = system;

    test(`${name} has its code sent`, async () => {
      const { number, code } = fresh();
      const answer = await post(name, make(number, code).send());
      assert.equal(answer.status, 200, answer.text);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
      const sent = await eventually(async () => (await service.client.messages(number))[0]);
      assert.deepEqual([sent?.code, sent?.channel], [code, 'sms']);
      if (name === 'authgear') assert.deepEqual(answer.json, { code: 'ok' });
      else assert.equal(answer.json.id, sent?.id);
    });

    test(`nobody else has a code sent as ${name}`, async () => {
      const { number, code } = fresh();
      for (const [what, sent] of forgeries(system, number, code)) {
        const answer = await post(name, sent);
        assert.equal(answer.status, 401, what);
        assert.ok(answer.headers['www-authenticate'], what);
        if (name === 'authgear') assert.equal(JSON.parse(answer.text).code, 'authentication_failed');
        else if (name !== 'authentik') assert.equal(problemOf(answer), 'forged-hook', what);
      }
      assert.deepEqual(await sentTo(number), []);
      await expectLog(new RegExp(`"hook":"${name}","reason":"wrong proof"`));
    });

    test(`what ${name} repeats is sent once`, async () => {
      const { number, code } = fresh();
      const message = make(number, code);
      const answers = await Promise.all(Array.from({ length: 50 }, () => post(name, message.send())));
      assert.deepEqual(
        answers.filter(({ status, text }) => status !== 200 || text !== answers[0]?.text),
        [],
      );
      assert.equal((await post(name, message.send())).text, answers[0]?.text);
      assert.deepEqual(await sentTo(number), [code]);
    });
  }

  test('the same code is sent again when a person asks once more, but not when a system tries a message again', async () => {
    const messages = systems.map(({ name, make }) => {
      const { number, code } = fresh();
      return { name, number, code, message: make(number, code) };
    });
    const postAll = () => Promise.all(messages.map(({ name, message }) => post(name, message.send())));
    const first = await postAll();
    {
      // Half a minute later.
      using db = new DatabaseSync(join(service.dataDir, 'countersign.db'), { timeout: 10_000 });
      db.exec('UPDATE idempotency SET created_at = created_at - 30000');
    }
    const second = await postAll();
    for (const [i, { name, number, code }] of messages.entries()) {
      assert.deepEqual([first[i]?.status, second[i]?.status], [200, 200], name);
      assert.deepEqual(await sentTo(number), name === 'clerk' ? [code] : [code, code], name);
    }
  });

  test('while the secrets of Supabase rotate, one signature of two is enough', async () => {
    const supabase = systemOf('supabase');
    const { number, code } = fresh();
    const unknown = `v1,whsec_${randomBytes(32).toString('base64')}`;
    const sent = supabase.make(number, code).send({ secret: `${unknown}|${supabase.secret}` });
    assert.match(sent.headers['webhook-signature'] ?? '', /=, v1,/);
    assert.equal((await post('supabase', sent)).status, 200);
    assert.deepEqual(await sentTo(number), [code]);
  });

  test('channel, text and language are those of the hook', async () => {
    const { number, code } = fresh();
    const answer = await post('named', systemOf('kratos').make(number, code).send());
    assert.equal(answer.status, 200, answer.text);
    const message = await service.client.message(number, answer.json.id ?? '');
    assert.equal(message.channel, 'voice');
    assert.match(message.text, /^Der Code für/);
  });

  test('a key that is missing, or may not bring codes, is told to who asks, and at the start', async () => {
    const kratos = systemOf('kratos', late.key);
    const ask = async () => {
      const { number, code } = fresh();
      return { number, code, answer: await post('late', kratos.make(number, code).send()) };
    };
    await expectLog(/"option":"hooks\.late\.key".*is no API key of this installation/);
    assert.equal(service.logs().includes('hooks.kratos.key'), false);
    const unknown = await ask();
    assert.deepEqual([unknown.answer.status, problemOf(unknown.answer)], [401, 'invalid-key']);
    assert.match(unknown.answer.json.detail ?? '', /API key of this hook/);

    await addKey(service, { ...late, customCodes: false });
    const refused = await eventually(async () => {
      const { answer } = await ask();
      return answer.status === 400 ? answer : undefined;
    });
    assert.deepEqual(
      refused?.json.errors?.map(({ field, code }) => [field, code]),
      [['code', 'not_permitted']],
    );
  });

  test('a repetition after a crash sends nothing, and the start tells of what changed', async () => {
    const messages = systems.map(({ name, make }) => {
      const { number, code } = fresh();
      return { name, number, code, message: make(number, code) };
    });
    for (const { name, message } of messages) assert.equal((await post(name, message.send())).status, 200);
    // What was not yet noted as sent would be sent after the restart, but only once its lease is over.
    for (const { number, code, name } of messages) {
      const arrived = await eventually(async () => (await codesTo(number)).includes(code) || undefined);
      assert.ok(arrived, name);
    }
    await service.restart();
    for (const { name, number, code, message } of messages) {
      assert.equal((await post(name, message.send())).status, 200);
      assert.deepEqual(await sentTo(number), [code], name);
    }
    await expectLog(/"option":"hooks\.late\.key".*may not bring codes of its own/);
  });

  test('a live key that may bring codes sends them', async () => {
    await addKey(service, { ...live, customCodes: true });
    const { number, code } = fresh();
    const message = systemOf('kratos', live.key).make(number, code);
    const answer = await eventually(async () => {
      const tried = await post('live', message.send());
      return tried.status === 200 ? tried : undefined;
    });
    const sent = await service.client.message(number, answer?.json.id ?? '', { key: live.key });
    assert.equal(sent.code, code);
  });

  test('limits are those of any request', async () => {
    const number = evidence.number();
    const answers = [];
    for (let i = 0; i < 6; i++) {
      answers.push(await post('live', systemOf('kratos', live.key).make(number, fresh().code).send()));
    }
    const last = answers.at(-1);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429],
    );
    assert.ok(last !== undefined && Number(last.headers['retry-after']) > 0);
    assert.equal(problemOf(last), 'quota-exceeded');
  });

  test('a path that is no hook is not found, and has one method', async () => {
    const answer = await service.client.post('/hooks/nobody', {}, { key: null });
    assert.deepEqual([answer.status, problemOf(answer)], [404, 'not-found']);
    assert.equal((await service.client.get('/hooks/kratos', { key: null })).status, 405);
  });

  test('no number, code or secret is in a log, an answer or a file', async () => {
    assert.ok(evidence.errors.length > 50);
    await assertNothingOnDisk(evidence, service, 'while it runs');
    assert.equal(await service.stop(), 0);
    assertNothingIn(evidence, 'the log', service.logs());
    assertNothingIn(evidence, 'the answers', evidence.errors.join('\n'));
  });
});

/** One of the ten; one that sends an API key, with this one. */
function systemOf(name: HookSystem, sends = key): System {
  const found = (sends === key ? systems : createSystems(sends)).find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
