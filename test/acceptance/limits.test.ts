import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../service.ts';
import { type Answer, freshNumber, problemOf, wrongCode } from './client.ts';
import { openTarget, startTarget } from './target.ts';

const { client, testKey, otherKey, own } = await openTarget();

/** RFC 6585, and the RateLimit fields of the IETF draft, naming the policy that was violated. */
function assertLimited(answer: Answer, problem: string, quota: number, windowS: number): void {
  assert.equal(answer.status, 429, answer.text);
  assert.equal(problemOf(answer), problem);
  const retryAfter = answer.headers['retry-after'] ?? '';
  assert.match(retryAfter, /^[1-9]\d*$/);
  assert.ok(Number(retryAfter) <= windowS);
  const [, policy, q, w] =
    /^"([^"]+)";q=(\d+);w=(\d+)$/.exec(String(answer.headers['ratelimit-policy'])) ?? [];
  assert.deepEqual([Number(q), Number(w)], [quota, windowS], String(answer.headers['ratelimit-policy']));
  const [, named, remaining, reset] =
    /^"([^"]+)";r=(\d+);t=(\d+)$/.exec(String(answer.headers.ratelimit)) ?? [];
  assert.deepEqual([named, remaining, reset], [policy, '0', retryAfter], String(answer.headers.ratelimit));
}

test('the sixth send to a number within ten minutes answers 429, however it is spelled', async () => {
  const destination = freshNumber();
  const spellings = [destination, destination.replace('+49', '+49 '), destination.replace('+49', '+49-')];
  for (let i = 0; i < 5; i++) {
    assert.equal((await client.verify(spellings[i % 3] ?? destination)).status, 200);
  }
  for (const spelling of spellings) assertLimited(await client.verify(spelling), 'quota-exceeded', 5, 600);
  assert.equal((await client.verify(freshNumber())).status, 200, 'other numbers are free');
});

test('sms and voice share the limit of a number', async () => {
  const destination = freshNumber();
  for (const channel of ['sms', 'voice', 'sms', 'voice', 'sms']) {
    assert.equal((await client.verify(destination, channel)).status, 200);
  }
  assertLimited(await client.verify(destination, 'voice'), 'quota-exceeded', 5, 600);
});

for (const [kind, spell] of [
  ['extensions of a number', (i: number, number: string) => `tel:${number};ext=${i}`],
  ['ports of a SIP URI', (i: number, number: string) => `sip:${number.slice(1)}@example.com:${5_060 + i}`],
  [
    'spellings of a SIP URI',
    (i: number, number: string) => `sip${i % 2 ? 's' : ''}:a${number.slice(1)}@Example.com`,
  ],
] as const) {
  test(`${kind} ring at one telephone, and share its limit`, async () => {
    const number = freshNumber();
    const answers: Answer[] = [];
    for (let i = 0; i < 25; i++) answers.push(await client.verify(spell(i, number), 'voice'));
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    for (const answer of answers.slice(5)) assertLimited(answer, 'quota-exceeded', 5, 600);
  });
}

test('400 comes before 429, and a refused request does not count', async () => {
  const destination = freshNumber();
  for (let i = 0; i < 6; i++) assert.equal((await client.verify(destination, 'fax')).status, 400);
  for (let i = 0; i < 5; i++) assert.equal((await client.verify(destination)).status, 200);
  assert.equal((await client.post('/verify', { destination })).status, 400);
  assert.equal((await client.verify(destination, 'sms', { key: null })).status, 401);
});

test('a test key is exempt from the limits of a destination', async () => {
  const destination = freshNumber();
  for (let i = 0; i < 8; i++) {
    assert.equal((await client.verify(destination, 'sms', { key: testKey })).status, 200);
  }
});

if (otherKey !== undefined) {
  test('confirms have no 429, and one account cannot spend the guesses of another', async () => {
    const { id, code } = await client.issue(freshNumber());
    for (let i = 0; i < 20; i++) {
      assert.equal((await client.confirm(id, wrongCode(code), { key: otherKey })).status, 404);
    }
    assert.equal((await client.confirm(id, code)).status, 200);
  });
}

/** Of requests of a key, more than the other tests need. */
const REQUESTS = 25;

suite('with limits that are set', { skip: own === undefined }, () => {
  let service: Service;
  before(async () => {
    service = await startTarget({
      config: {
        limits: {
          requestsPerKey: [`${REQUESTS}/1h`],
          sendsPerDestination: ['4/3s', '5/1h'],
          failedGuessesPerDestination: ['6/1d'],
        },
        code: { guesses: 4 },
      },
    });
  });
  after(() => service[Symbol.asyncDispose]());

  const wrongGuesses = async (destination: string, count: number) => {
    const { id, code } = await service.client.issue(destination);
    for (let i = 0; i < count; i++) {
      assert.equal(problemOf(await service.client.confirm(id, wrongCode(code))), 'code-mismatch');
    }
    return { id, code };
  };

  test('guesses per verification are configurable', async () => {
    const { id, code } = await service.client.issue(freshNumber());
    const first = await service.client.confirm(id, wrongCode(code));
    assert.equal(first.json.attempts_remaining, 3);
    for (let i = 0; i < 3; i++) await service.client.confirm(id, wrongCode(code));
    assert.equal(problemOf(await service.client.confirm(id, code)), 'attempts-exhausted');
  });

  test('a success clears the failed guesses of its destination', async () => {
    const destination = freshNumber();
    for (let i = 0; i < 3; i++) {
      const { id, code } = await wrongGuesses(destination, 3);
      assert.equal((await service.client.confirm(id, code)).status, 200);
    }
  });

  test('requests of a key, sends and failed guesses are counted, each by itself', async () => {
    const asKey = { key: await service.createKey('counted') };
    const { id: first } = (await service.client.verify(freshNumber(), 'sms', asKey)).json;
    const path = `/verifications/${first}`;
    assert.equal((await service.client.get(path, asKey)).status, 200);
    for (let i = 2; i < REQUESTS; i++) {
      assert.equal((await service.client.verify(freshNumber(), 'sms', asKey)).status, 200);
    }
    const assertKeyLimited = (answer: Answer) => assertLimited(answer, 'rate-limited', REQUESTS, 3_600);
    assertKeyLimited(await service.client.verify(freshNumber(), 'sms', asKey));
    assertKeyLimited(await service.client.get(path, asKey));
    assert.equal((await service.client.verify('+4912', 'sms', asKey)).status, 400, '400 comes before 429');
    assert.equal((await service.client.post('/verify', {}, { key: 'nonsense' })).status, 401);

    const destination = freshNumber();
    // At once: one after another, they could take longer than the window.
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.client.verify(destination)));
    const [fifth, ...others] = answers.filter(({ status }) => status !== 200);
    assert.ok(fifth !== undefined && others.length === 0);
    assertLimited(fifth, 'quota-exceeded', 4, 3);
    await sleep(Number(fifth.headers['retry-after']) * 1_000);
    assert.equal((await service.client.verify(destination)).status, 200, 'Retry-After was the truth');
    assertLimited(await service.client.verify(destination), 'quota-exceeded', 5, 3_600);

    const guessed = freshNumber();
    const bystander = await service.client.issue(freshNumber());
    const codes = [await wrongGuesses(guessed, 3), await wrongGuesses(guessed, 2)];
    const third = await service.client.issue(guessed);

    assertKeyLimited(await service.client.verify(freshNumber(), 'sms', asKey));
    assert.equal(problemOf(await service.client.confirm(third.id, wrongCode(third.code))), 'code-mismatch');
    for (const { id, code } of [...codes, third]) {
      const refused = await service.client.confirm(id, code);
      assert.deepEqual([refused.status, problemOf(refused)], [403, 'attempts-exhausted']);
    }
    assert.equal((await service.client.confirm(bystander.id, bystander.code)).status, 200);
  });
});
