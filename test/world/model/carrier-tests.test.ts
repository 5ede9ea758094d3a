import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../command.ts';
import type { Answer } from '../happening.ts';
import { approved, DE, done, invalid, type LIVE, problem, refused, Story, US, unsigned } from './story.ts';
import { HOUR, MINUTE } from './table.ts';

type Test = Extract<Command, { do: 'test-carrier' }>;
const CODE = '482919';
const NUMBERS = [US, DE, '+14155550102', '+14155550177', '+33612345678', '+447911123456'];
const bySecond = { carrier: 'two', reference: 'r-test' } as const;

const tests = (it: Story, more: Partial<Test> = {}, answer?: Answer) => {
  const command = {
    do: 'test-carrier',
    by: 'ann',
    account: 'a',
    carrier: 'two',
    to: US,
    channel: 'sms',
  } as const;
  const id = `ver_${it.n + 1}`;
  return it.does({ ...command, ...more }, answer ?? done({ id, carrier: 'two', channel: 'sms', ...more }));
};
function signedIn(live: Partial<typeof LIVE> = {}): Story {
  const story = new Story({}, live);
  for (const by of ['ann', 'dan', 'bob']) story.does({ do: 'sign-in', by });
  return story;
}
/** A test that was sent, and the number of its command. */
function sent(): { it: Story; id: number } {
  const it = signedIn();
  it.turnsOn();
  assert.equal(tests(it), undefined);
  const id = it.n;
  assert.equal(it.sent(CODE, bySecond), undefined);
  it.wait(1000);
  return { it, id };
}
/** What the model says, without going on from there. */
function tried(it: Story, what: (it: Story) => string | undefined): string | undefined {
  const { model, n } = it;
  it.model = model.copy();
  const why = what(it);
  [it.model, it.n] = [model, n];
  return why;
}

test('an owner with a fresh proof sends it, over a carrier that there is', () => {
  const it = signedIn();
  assert.match(tests(it, { by: 'dan' }) ?? '', /developer of a, did test-carrier/);
  assert.match(tests(it, {}, refused(404, 'not-found')) ?? '', /two was not found/);
  assert.match(tests(it, { carrier: 'three' }) ?? '', /that there is not/);
  assert.equal(tests(it, { carrier: 'three' }, refused(404, 'not-found')), undefined);
  it.wait(11 * MINUTE);
  assert.match(tests(it) ?? '', /without a fresh proof/);
  assert.equal(tests(it, {}, refused(403, 'proof-needed')), undefined);
});

test('an account sends five in an hour', () => {
  const tooOften = refused(429, 'asked-too-often');
  const it = signedIn();
  for (const to of NUMBERS.slice(0, 4)) assert.equal(tests(it, { to }), undefined);
  assert.match(tests(it, {}, tooOften) ?? '', /without a reason/);
  // with a wrong number it takes no place, and one that is on the list does
  assert.equal(tests(it, { to: '+1415555' }, invalid('number', 'invalid_number')), undefined);
  assert.equal(tests(it, { to: '' }, invalid('number', 'too_short')), undefined);
  assert.match(tests(it, {}, invalid('number', 'too_short')) ?? '', /without a reason/);
  assert.match(tests(it, {}, tooOften) ?? '', /without a reason/);
  const [to = ''] = NUMBERS.slice(4);
  it.does({ do: 'block', account: 'a', what: to });
  assert.match(tried(it, () => tests(it, { to })) ?? '', /do_not_send/);
  assert.equal(tests(it, { to }, invalid('number', 'do_not_send')), undefined);
  assert.match(tried(it, () => tests(it)) ?? '', /more tests in an hour/);
  assert.equal(tests(it, {}, tooOften), undefined);
  assert.equal(tests(it, { by: 'bob', account: 'b' }), undefined);
  it.wait(HOUR);
  it.does({ do: 'prove', by: 'ann' });
  assert.equal(tests(it), undefined);
});

test('exactly its carrier is asked, once, also after a crash, and it is never owed', () => {
  const it = signedIn();
  assert.equal(tests(it), undefined);
  assert.match(tried(it, () => it.sent(CODE)) ?? '', /nobody’s code/);
  assert.deepEqual(it.model.owed(it.at + MINUTE), []);
  assert.equal(it.sent(CODE, { ...bySecond, did: 'hung' }), undefined);
  it.wait(MINUTE);
  it.model.crashed(it.at);
  assert.match(tried(it, () => it.sent(CODE, bySecond)) ?? '', /sent twice/);
  assert.deepEqual(it.model.owed(it.at), []);
});

test('its code confirms nothing, through no door, and it ends no other code', () => {
  const { it, id } = sent();
  const notFound = refused(404, 'verification-not-found');
  assert.match(tried(it, () => it.confirm(id, CODE)) ?? '', /for the code of a test/);
  assert.match(it.confirm(id, CODE, notFound) ?? '', /was not found/);
  assert.equal(it.confirm(id, CODE, refused(403, 'attempts-exhausted')), undefined);
  const look = { do: 'look', key: 'a-live', id } as const;
  assert.match(it.does(look, notFound) ?? '', /was not found/);
  const shown = { id: `ver_${id}`, channel: 'sms', destination: '+1••••••••01' };
  assert.match(
    tried(it, () => it.does(look, done({ ...shown, guesses_left: 3 }))) ?? '',
    /guesses_left is 3/,
  );
  assert.match(it.does({ ...look, key: 'a-test' }, done({ ...shown, guesses_left: 0 })) ?? '', /a key saw/);
  assert.equal(it.does(look, done({ ...shown, guesses_left: 0 })), undefined);
  for (const to of [US, id])
    assert.match(
      tried(it, () => it.twilio({ of: to, code: CODE }, approved(`VE${id}`))) ?? '',
      /judged|answered/,
    );
  assert.equal(it.twilio({ code: CODE }, problem(404, 20404)), undefined);
  const fetched = done({ sid: `VE${id}`, to: US, status: 'pending' });
  assert.match(it.does({ do: 'twilio-fetch', key: 'a-live', id }, fetched) ?? '', /is over, unknown/);
});

test('it counts for the limit of its number and for budgets', () => {
  const full = refused(429, 'quota-exceeded', {}, { 'ratelimit-policy': '"x";q=3;w=600', ratelimit: 'x' });
  const it = signedIn();
  for (let n = 0; n < 3; n++) assert.equal(tests(it), undefined);
  assert.match(tried(it, () => it.verify()) ?? '', /more codes than its limit/);
  assert.match(tried(it, () => tests(it)) ?? '', /more codes than its limit/);
  assert.equal(tests(it, {}, full), undefined);
  // of its own carrier, which costs 0.1
  const paid = signedIn({ budgets: [{ of: 'account', per: 'day', money: 0.2 }] });
  assert.equal(tests(paid), undefined);
  assert.equal(paid.sent(CODE, bySecond), undefined);
  assert.match(tried(paid, () => paid.verify({ to: DE })) ?? '', /budget account per day/);
  assert.equal(tests(paid, { to: DE }), undefined);
});

test('webhooks are told which carrier was tested', () => {
  const { it, id } = sent();
  const at = new Date(it.at - 1000).toISOString();
  const says = (metadata: object | null) => {
    const data = { id: `ver_${id}`, destination: '+1••••••••01', country: 'US', channel: 'sms', test: false };
    it.model.judge({
      ...{ kind: 'told', at: it.at, account: 'a', id: 'msg_1', type: 'delivery.accepted', took: true },
      ...{ signed: unsigned(it.at), data: { ...data, at, carrier: 'two', reason: null, metadata } },
    });
    return it.model.end();
  };
  for (const metadata of [null, { carrier_test: 'one' }])
    assert.match(tried(it, () => says(metadata)) ?? '', /metadata/);
  assert.equal(says({ carrier_test: 'two' }), undefined);
});

test('it is in lists and copies of its account, and its owner sees the number', () => {
  const { it, id } = sent();
  const listed = (...ids: string[]) =>
    done({ verifications: ids.map((one) => ({ id: one, destination: '+1••••••••01' })) });
  const list = { do: 'list', by: 'ann', account: 'a', what: 'verifications' } as const;
  assert.match(it.does(list, listed()) ?? '', /is not in the list/);
  assert.equal(it.does(list, listed(`ver_${id}`)), undefined);
  const copied = done({ verifications: [], do_not_send: [] });
  assert.match(it.does({ do: 'copy', number: US }, copied) ?? '', /is not in the copy/);
  assert.equal(it.does({ do: 'reveal', by: 'ann', account: 'a', id }, done({ destination: US })), undefined);
});
