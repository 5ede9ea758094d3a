import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approved, DE, done, mismatch, pending, problem, refused, Story, US, unsigned } from './story.ts';
import { DAY, MINUTE } from './table.ts';

/** What no document allows, one answer or event each: every one of these has to be complained about. */
type Case = readonly [why: RegExp, told: (story: Story) => string | undefined];
const over = (policy: string, after = '5') =>
  refused(429, 'quota-exceeded', {}, { 'ratelimit-policy': policy, ratelimit: 'x', 'retry-after': after });
const full = (story: Story) => ['111111', '222222', '333333'].map((code) => story.code(code)).length;
const sid = { sid: 'VE1', to: US, channel: 'sms', status: 'pending' };
const send = { do: 'twilio-send', key: 'a-live', to: US, channel: 'sms' } as const;
const started = (story: Story) => {
  story.turnsOn();
  return story.code('111111');
};
const told = (story: Story, type: string, id: string, at: number, data: object = {}) =>
  story.model.judge({
    ...{ kind: 'told', at: story.at, account: 'a', id, type, took: true, signed: unsigned(story.at) },
    data: {
      ...{ id: 'ver_1', destination: '+1••••••••01', country: 'US', channel: 'sms', test: false },
      ...{ at: new Date(at).toISOString(), carrier: 'one', reason: null, metadata: null, ...data },
    },
  });
const seen = (story: Story, id: number, more: object) => {
  const expires_at = new Date(story.at - 1000 + 10 * MINUTE).toISOString();
  const body = {
    id: `ver_${id}`,
    destination: US,
    channel: 'sms',
    guesses_left: 3,
    expires_at,
    attempts: [],
  };
  return story.does({ do: 'look', key: 'a-live', id }, done({ ...body, status: 'submitted', ...more }));
};
/** What the second says, after the first. */
const second = (_first: unknown, why: string | undefined) => why;
const fetched = (story: Story, id: number, key = 'a-live') =>
  story.does({ do: 'twilio-fetch', key, id }, problem(404, 20404));

const CASES: readonly Case[] = [
  // sending
  [/no documented refusal/, (it) => it.verify({}, refused(418, 'teapot'))],
  [/without an id/, (it) => it.verify({}, done({ destination: US, channel: 'sms' }))],
  [/instead of/, (it) => it.verify({}, done({ id: 'x', destination: DE, channel: 'sms' }))],
  [/another channel/, (it) => it.verify({}, done({ id: 'x', destination: US, channel: 'voice' }))],
  [/not pending/, (it) => second(it.turnsOn(), it.does(send, done({ ...sid, status: 'approved' }, 201)))],
  [/names no limit/, (it) => second(full(it), it.verify({}, over('"a";q=9;w=600')))],
  [/longer than/, (it) => second(full(it), it.verify({}, over('"a";q=3;w=600', '601')))],
  [/Retry-After/, (it) => it.verify({}, { ...refused(503, 'unavailable'), headers: {} })],
  [/without a reason/, (it) => it.verify({}, refused(409, 'idempotency-in-progress'))],
  // confirming
  [/no documented answer/, (it) => it.confirm(it.code('111111'), '1', refused(418, 'teapot'))],
  [/under way/, (it) => it.confirm(it.code('1'.repeat(6)), '1', refused(409, 'idempotency-in-progress'))],
  [/422/, (it) => it.confirm(it.code('111111'), '1', refused(422, 'idempotency-key-reused'), { once: 'x' })],
  [/was not found/, (it) => it.confirm(it.code('111111'), '1', refused(404, 'verification-not-found'))],
  [/another id/, (it) => it.confirm(it.code('111111'), '111111', undefined, { to: DE })],
  [
    /confirmed_at/,
    (it) => it.confirm(it.code('111111'), '111111', done({ id: 'ver_1', destination: US, channel: 'sms' })),
  ],
  [/rate-limited/, (it) => it.confirm(it.code('111111'), '1', refused(429, 'rate-limited'))],
  // looking
  [/requests left/, (it) => it.does({ do: 'look', key: 'a-live', id: 1 }, refused(429, 'rate-limited'))],
  [/to a look/, (it) => it.does({ do: 'look', key: 'a-live', id: 1 }, refused(404, 'verification-expired'))],
  [
    /was not found/,
    (it) =>
      it.does({ do: 'look', key: 'a-live', id: it.code('111111') }, refused(404, 'verification-not-found')),
  ],
  [/another id/, (it) => seen(it, it.code('111111'), { channel: 'voice' })],
  [/expires_at/, (it) => seen(it, it.code('111111'), { expires_at: new Date(it.at).toISOString() })],
  [
    /more looks/,
    (it) => {
      const id = it.code('111111');
      const [first, ...others] = Array.from({ length: 20 }, () => seen(it, id, {}));
      return first ?? others.find((why) => why !== undefined);
    },
  ],
  // carriers
  [/characters/, (it) => it.verify() ?? it.sent('1234') ?? it.model.end()],
  [/confirmed/, (it) => second([it.confirm(it.code('111111'), '111111'), it.wait(6000)], it.sent('111111'))],
  // the façade
  [/no documented answer/, (it) => second(started(it), it.twilio({}, problem(400, 20404)))],
  [/it is off/, (it) => second(it.code('111111'), it.twilio({}, approved('ver_1')))],
  [/20429/, (it) => it.twilio({ of: started(it) }, problem(429, 20429))],
  [/not found was answered/, (it) => second(started(it), it.twilio({ of: -1 }, pending('x')))],
  [/live code/, (it) => second(started(it), it.twilio({}, problem(404, 20404)))],
  [/60202/, (it) => second(started(it), it.twilio({}, problem(429, 60202)))],
  [/to a check/, (it) => second(started(it), it.twilio({}, problem(429, 60203)))],
  [/no code of/, (it) => second(it.turnsOn(), it.twilio({}, pending('x')))],
  [
    /a check is/,
    (it) => second(started(it), it.twilio({}, done({ status: 'approved', valid: false, to: US }))),
  ],
  [/right code was not/, (it) => second(started(it), it.model.begin([]) ?? it.twilio({}, pending('x')))],
  [
    /was not found/,
    (it) => {
      it.turnsOn();
      return it.does(send, done(sid, 201)) ?? fetched(it, it.n);
    },
  ],
  [
    /without a reason/,
    (it) => {
      it.turnsOn();
      it.does(send, done(sid, 201));
      return it.does(
        { do: 'twilio-update', key: 'a-live', id: it.n, status: 'canceled' },
        problem(403, 60204),
      );
    },
  ],
  [
    /not canceled/,
    (it) => {
      it.turnsOn();
      it.does(send, done(sid, 201));
      return it.does({ do: 'twilio-update', key: 'a-live', id: it.n, status: 'canceled' }, done(sid));
    },
  ],
  [
    /without guesses/,
    (it) => {
      it.turnsOn();
      it.does({ do: 'settings', account: 'a', twilio: true, countries: [], wrong: ['1/1h'] });
      it.wait(2000);
      const id = it.code('111111', { code: '111111' });
      it.confirm(id, '2222', mismatch(0));
      const wish = { do: 'twilio-update', key: 'a-live', id, status: 'approved' } as const;
      return it.does(wish, done({ status: 'approved', to: US }));
    },
  ],
  // operators
  [/without a reason/, (it) => it.does({ do: 'block', account: 'a', what: US }, problem(409, 0))],
  // events
  [
    /unknown verification/,
    (it) => told(it, 'verification.requested', 'm', it.at, { carrier: null }) ?? it.model.end(),
  ],
  [
    /after an erasure/,
    (it) => {
      it.code('111111');
      it.does({ do: 'erase', number: US });
      it.wait(5000);
      return told(it, 'verification.requested', 'm', it.at, { carrier: null }) ?? it.model.end();
    },
  ],
  [
    /one webhook-id/,
    (it) => {
      it.code('111111');
      told(it, 'verification.requested', 'm', it.at, { carrier: null });
      return told(it, 'delivery.accepted', 'm', it.at) ?? it.model.end();
    },
  ],
  [
    /came after/,
    (it) => {
      it.code('111111');
      it.wait(4000);
      told(it, 'delivery.accepted', 'm1', it.at);
      return told(it, 'verification.requested', 'm2', it.at - 5000, { carrier: null }) ?? it.model.end();
    },
  ],
];

test('what no document allows is complained about', () => {
  for (const [why, happens] of CASES) assert.match(happens(new Story()) ?? 'nothing', why);
});

test('a refusal by a budget names one that has no room, and the one that frees up last', () => {
  const budgets = [
    { of: 'account', per: 'hour', messages: 1 },
    { of: 'account', per: 'day', messages: 1 },
    { of: 'key', per: 'day', messages: 9 },
  ] as const;
  const says = (budget: string, after: number) => {
    const story = new Story({}, { budgets });
    story.verify();
    return story.verify({}, refused(429, 'budget-exhausted', { budget }, { 'retry-after': String(after) }));
  };
  assert.equal(says('account per day', DAY / 2000), undefined);
  assert.match(says('account per hour', 3600) ?? '', /frees up later/);
  assert.match(says('key per day', DAY / 2000) ?? '', /has room/);
});

test('the façade has the key’s limit of requests, but not for checks by number', () => {
  const story = new Story({ limits: LIMITS });
  const id = started(story);
  assert.equal(story.twilio({ of: id, code: '0000' }, pending('x')), undefined);
  const { model } = story;
  story.model = model.copy();
  assert.match(story.twilio({ of: id, code: '0000' }, pending('x')) ?? '', /over its limit/);
  story.model = model;
  assert.equal(story.twilio({ code: '0000' }, pending('x')), undefined);
});
const LIMITS = {
  sendsPerDestination: ['3/10m'],
  failedGuessesPerDestination: ['5/1d'],
  requestsPerKey: ['2/1m'],
};
