/** Invariants under simultaneous requests. Each case sends all of its requests at once, in an order drawn at random. */
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Service } from '../service.ts';
import { type Answer, type Client, createClient, freshNumber, problemOf, wrongCode } from './client.ts';
import { isOwnService, openTarget, startTarget } from './target.ts';

const IDS = 30;
const EACH = 10;
/** As many connections as must be simultaneous; the requests beyond wait for one of them. */
const CONNECTIONS = 200;

let client: Client;
let service: Service | undefined;

before(async () => {
  if (isOwnService) {
    // The limit of the key would hide the limit that is raced for.
    service = await startTarget({
      config: { limits: { requestsPerKey: [], failedGuessesPerDestination: ['7/1d'] } },
    });
    client = createClient({ ...service, connections: CONNECTIONS });
  } else {
    client = (await openTarget()).client;
  }
});

after(async () => {
  client.close();
  await service?.[Symbol.asyncDispose]();
});

interface Issued {
  readonly id: string;
  readonly code: string;
  readonly destination: string;
}

const issueMany = (count: number): Promise<Issued[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const destination = freshNumber();
      return { ...(await client.issue(destination)), destination };
    }),
  );

/** Asks everything at once in random order; the answers by subject. */
async function race<S>(asks: readonly (readonly [subject: S, ask: () => Promise<Answer>])[]) {
  const shuffled = [...asks];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    const [a, b] = [shuffled[i], shuffled[j]];
    if (a !== undefined && b !== undefined) [shuffled[i], shuffled[j]] = [b, a];
  }
  const answers = new Map<S, Answer[]>();
  await Promise.all(
    shuffled.map(async ([subject, ask]) => {
      const answer = await ask();
      answers.set(subject, [...(answers.get(subject) ?? []), answer]);
    }),
  );
  return answers;
}

const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const count = (answers: readonly Answer[], status: number, problem?: string) =>
  answers.filter((answer) => answer.status === status && (status === 200 || problemOf(answer) === problem))
    .length;

test('of right codes exactly one is confirmed, the rest answer 409', async () => {
  const issued = await issueMany(IDS);
  const answers = await race(
    issued.flatMap(({ id, code }) => repeat(EACH, () => [id, () => client.confirm(id, code)] as const)),
  );
  assert.equal(answers.size, IDS);
  for (const all of answers.values()) {
    assert.equal(count(all, 200), 1);
    assert.equal(count(all, 409, 'already-confirmed'), EACH - 1);
  }
});

test('of wrong codes no more than five are weighed, and then not even the right one', async () => {
  const issued = await issueMany(IDS);
  const answers = await race(
    issued.flatMap(({ id, code }) =>
      repeat(EACH, () => [id, () => client.confirm(id, wrongCode(code))] as const),
    ),
  );
  for (const all of answers.values()) {
    assert.equal(count(all, 403, 'code-mismatch'), 5);
    assert.equal(count(all, 403, 'attempts-exhausted'), EACH - 5);
    const remaining = all.flatMap(({ json }) => json.attempts_remaining ?? []).sort();
    assert.deepEqual(remaining, [0, 1, 2, 3, 4], 'every guess was counted once');
  }
  await Promise.all(
    issued.map(async ({ id, code }) => {
      assert.equal(problemOf(await client.confirm(id, code)), 'attempts-exhausted');
    }),
  );
});

test('of right and wrong codes mixed at most one is confirmed and at most five are weighed', async () => {
  const issued = await issueMany(IDS);
  const answers = await race(
    issued.flatMap(({ id, code }) =>
      repeat(EACH, (i) => [id, () => client.confirm(id, i % 5 === 0 ? code : wrongCode(code))] as const),
    ),
  );
  for (const all of answers.values()) {
    const [confirmed, mismatched] = [count(all, 200), count(all, 403, 'code-mismatch')];
    const [conflicts, exhausted] = [
      count(all, 409, 'already-confirmed'),
      count(all, 403, 'attempts-exhausted'),
    ];
    assert.equal(confirmed + mismatched + conflicts + exhausted, EACH);
    assert.ok(mismatched <= 5);
    // Either a right guess came in time, and what followed met a conflict; or the guesses ran out first.
    if (confirmed === 1) assert.equal(exhausted, 0);
    else assert.deepEqual([confirmed, mismatched, conflicts], [0, 5, 0]);
  }
});

test('no destination is sent more than five codes', async () => {
  const destinations = repeat(IDS, freshNumber);
  const answers = await race(
    destinations.flatMap((to) =>
      repeat(EACH, (i) => [to, () => client.verify(to, i % 2 === 0 ? 'sms' : 'voice')] as const),
    ),
  );
  const byKey = [...answers.values()].flat().filter((answer) => problemOf(answer) === 'rate-limited').length;
  for (const [destination, all] of answers) {
    const sent = count(all, 200);
    if (byKey === 0) {
      assert.equal(sent, 5);
      assert.equal(count(all, 429, 'quota-exceeded'), EACH - 5);
    }
    assert.ok(sent <= 5);
    for (const { status, json } of all) if (status === 200) await client.message(destination, json.id ?? '');
    assert.equal((await client.messages(destination)).length, sent);
  }
});

test('one idempotency key makes one verification and one message', async () => {
  const destinations = repeat(IDS, freshNumber);
  const answers = await race(
    destinations.flatMap((to) => {
      const headers = { 'idempotency-key': randomUUID() };
      return repeat(EACH, () => [to, () => client.verify(to, 'sms', { headers })] as const);
    }),
  );
  for (const [destination, all] of answers) {
    const ids = new Set(all.filter(({ status }) => status === 200).map(({ json }) => json.id));
    assert.equal(ids.size, 1);
    assert.equal(count(all, 200) + count(all, 409, 'idempotency-in-progress'), EACH);
    const [id = ''] = ids;
    await client.message(destination, id);
    assert.equal((await client.messages(destination)).length, 1);
  }
});

if (isOwnService) {
  test('failed guesses of a destination are not multiplied by its codes', async () => {
    const destinations = repeat(IDS, freshNumber);
    const issued = await Promise.all(
      destinations.map(async (to) => ({ to, codes: await Promise.all(repeat(3, () => client.issue(to))) })),
    );
    // Three codes of five guesses each would allow 15; the destination's budget is seven.
    const answers = await race(
      issued.flatMap(({ to, codes }) =>
        codes.flatMap(({ id, code }) =>
          repeat(4, () => [to, () => client.confirm(id, wrongCode(code))] as const),
        ),
      ),
    );
    for (const all of answers.values()) {
      assert.equal(count(all, 403, 'code-mismatch'), 7);
      assert.equal(count(all, 403, 'attempts-exhausted'), 5);
    }
    await Promise.all(
      issued.flatMap(({ codes }) =>
        codes.map(async ({ id, code }) => {
          assert.equal(problemOf(await client.confirm(id, code)), 'attempts-exhausted');
        }),
      ),
    );
  });

  test(`${CONNECTIONS} right guesses at one id confirm it once`, async () => {
    const [issued] = await issueMany(1);
    assert.ok(issued !== undefined);
    const { id, code } = issued;
    const answers = await race(repeat(CONNECTIONS, () => [id, () => client.confirm(id, code)] as const));
    assert.equal(count(answers.get(id) ?? [], 200), 1);
    assert.equal(count(answers.get(id) ?? [], 409, 'already-confirmed'), CONNECTIONS - 1);
  });
}
