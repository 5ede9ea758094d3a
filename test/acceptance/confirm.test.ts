import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultyFields, freshNumber, problemOf, wrongCode } from './client.ts';
import { openTarget } from './target.ts';

const { client, otherKey, own } = await openTarget();

test('the right code answers 200 with what was confirmed', async () => {
  const destination = freshNumber();
  const { id, code } = await client.issue(destination, 'voice');
  const answer = await client.confirm(id, code);
  assert.equal(answer.status, 200, answer.text);
  const { confirmed_at = '', ...rest } = answer.json;
  assert.deepEqual(rest, { id, destination, channel: 'voice' });
  assert.match(confirmed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  assert.ok(Math.abs(Date.parse(confirmed_at) - Date.now()) < 60_000);
});

test('a wrong code answers 403 and says how many attempts remain', async () => {
  const { id, code } = await client.issue(freshNumber());
  for (const remaining of [4, 3, 2, 1]) {
    const answer = await client.confirm(id, wrongCode(code));
    assert.equal(answer.status, 403);
    assert.equal(problemOf(answer), 'code-mismatch');
    assert.equal(answer.json.attempts_remaining, remaining);
  }
  assert.equal((await client.confirm(id, code)).status, 200, 'the last attempt still counts');
});

test('used up guesses answer 403 attempts-exhausted, for the right code too', async () => {
  const { id, code } = await client.issue(freshNumber());
  for (let guess = 0; guess < 5; guess++) {
    const answer = await client.confirm(id, wrongCode(code));
    assert.equal(problemOf(answer), 'code-mismatch');
    assert.equal(answer.json.attempts_remaining, 4 - guess);
  }
  for (const guess of [wrongCode(code), code]) {
    const answer = await client.confirm(id, guess);
    assert.equal(answer.status, 403);
    assert.equal(problemOf(answer), 'attempts-exhausted');
  }
});

test('confirming again answers 409, whatever the code', async () => {
  const { id, code } = await client.issue(freshNumber());
  assert.equal((await client.confirm(id, code)).status, 200);
  for (const again of [code, wrongCode(code), 'x']) {
    const answer = await client.confirm(id, again);
    assert.equal(answer.status, 409);
    assert.equal(problemOf(answer), 'already-confirmed');
  }
});

for (const id of ['ver_00000000000000000000000000', 'nonsense', '../verify', '💥', "' OR 1=1 --"]) {
  test(`404 for the unknown id ${id}`, async () => {
    const answer = await client.confirm(id, '123456');
    assert.equal(answer.status, 404, answer.text);
    assert.equal(problemOf(answer), 'verification-not-found');
  });
}

if (otherKey !== undefined) {
  test('an id of another account is as unknown as one that never existed', async () => {
    const { id, code } = await client.issue(freshNumber());
    const foreign = await client.confirm(id, code, { key: otherKey });
    const unknown = await client.confirm(id.replaceAll(/\d/g, '0'), code, { key: otherKey });
    const stable = ({ status, json: { instance: _, ...problem } }: typeof foreign) => ({ status, problem });
    assert.equal(foreign.status, 404);
    assert.deepEqual(stable(foreign), stable(unknown));
    assert.equal((await client.confirm(id, code)).status, 200, 'nothing was spent by the stranger');
  });
}

const SPELLINGS: Readonly<Record<string, (code: string) => string>> = {
  'full-width digits': (code) => shift(code, 0xff10),
  'Arabic-Indic digits': (code) => shift(code, 0x0660),
  'extended Arabic-Indic digits': (code) => shift(code, 0x06f0),
  'Devanagari digits': (code) => shift(code, 0x0966),
  'spaces and hyphens': (code) => ` ${code.slice(0, 3)} - ${code.slice(3)} `,
};

for (const [what, spell] of Object.entries(SPELLINGS)) {
  test(`understands a code in ${what}`, async () => {
    const { id, code } = await client.issue(freshNumber());
    const answer = await client.confirm(id, spell(code));
    assert.equal(answer.status, 200, answer.text);
  });
}

const REFUSED_BODIES: readonly [string, unknown, readonly string[]][] = [
  ['without id', { code: '123456' }, ['id']],
  ['without code', { id: 'x' }, ['code']],
  ['without either', {}, ['code', 'id']],
  ['with an empty id', { id: '', code: '123456' }, ['id']],
  ['with an empty code', { id: 'x', code: '' }, ['code']],
  ['with a code that is a number', { id: 'x', code: 123456 }, ['code']],
  ['with an id that is null', { id: null, code: '123456' }, ['id']],
  ['with both of a wrong type', { id: ['x'], code: {} }, ['code', 'id']],
  ['with an overlong code', { id: 'x', code: '1'.repeat(1_000) }, ['code']],
  ['with an overlong id', { id: 'x'.repeat(1_000), code: '123456' }, ['id']],
];

for (const [what, body, fields] of REFUSED_BODIES) {
  test(`400 naming the field ${what}`, async () => {
    const answer = await client.post('/confirm', body);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(faultyFields(answer), fields);
  });
}

test('a refused body spends no guess', async () => {
  const { id, code } = await client.issue(freshNumber());
  for (let i = 0; i < 8; i++) await client.post('/confirm', { id, code: Number(code) });
  assert.equal((await client.confirm(id, code)).status, 200);
});

if (own !== undefined) {
  test('another key of the same account may confirm', async () => {
    const sibling = await own.createKey('sibling');
    const { id, code } = await client.issue(freshNumber());
    assert.equal((await client.confirm(id, code, { key: sibling })).status, 200);
  });
}

function shift(code: string, zero: number): string {
  return code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}
