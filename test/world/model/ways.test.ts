import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, refused, Story, unsigned } from './story.ts';
import { HOUR, MINUTE, SECOND } from './table.ts';

const route = [{ carrier: 'one', price: 0.05 }];
const carriers = [{ carrier: 'three', price: 0.2 }];
const CODE = '482919';
const byCall = { channel: 'voice', carrier: 'three', reference: 'r-call' } as const;

/** Codes go on by a call, after 20 s if that is not said otherwise. */
const story = (next: object = { after: 20 * SECOND }, more: object = {}) =>
  new Story({}, { route, next: { from: 'sms', to: 'voice', carriers, ...next }, ...more });
/** What is wrong a minute later. */
const later = (it: Story) => {
  it.wait(MINUTE);
  return it.does({ do: 'wait', ms: 0 });
};

test('a code goes on to the millisecond after a carrier took it, and by nothing else again', () => {
  const it = story();
  it.code(CODE);
  it.wait(19 * SECOND - 1);
  const { model } = it;
  it.model = model.copy();
  assert.match(it.sent(CODE, byCall) ?? '', /before its time/);
  it.model = model;
  it.wait(1);
  assert.equal(it.sent(CODE, byCall), undefined);
  assert.match(it.sent(CODE) ?? '', /went back/);
});

test('a code may go on after midnight because of a cap that was used up before', () => {
  const it = new Story(
    {},
    { route: [{ carrier: 'one', price: 0.05, cap: 1 }], next: { from: 'sms', to: 'voice', carriers } },
  );
  it.at = Date.UTC(2026, 10, 20, 23, 59, 50);
  it.code('111111', { to: DE });
  it.verify();
  it.wait(12 * SECOND);
  assert.equal(it.sent(CODE, byCall), undefined);
  it.verify();
  assert.match(it.sent('482920', { ...byCall, reference: 'r-other' }) ?? '', /before its time/);
});

test('what did not go on in time is complained about, unless it arrived', () => {
  const late = story();
  late.code(CODE);
  assert.match(later(late) ?? '', /did not go on/);
  const arrived = story();
  arrived.code(CODE);
  arrived.delivered(CODE);
  assert.equal(later(arrived), undefined);
  assert.match(arrived.sent(CODE, byCall) ?? '', /reported delivered/);
  const removed = story();
  removed.code(CODE);
  removed.does({ do: 'reload', live: { countries: [], route, budgets: [] } });
  assert.equal(later(removed), undefined);
});

test('without a time it goes on only after a refusal, which is owed then', () => {
  const it = story({});
  it.code(CODE);
  assert.equal(later(it), undefined);
  assert.match(it.sent(CODE, byCall) ?? '', /before its time/);
  const failed = story({});
  failed.verify({ code: CODE });
  assert.equal(failed.sent(CODE, { did: 'refused' }), undefined);
  assert.equal(failed.model.owed(failed.at).length, 1);
  assert.equal(failed.sent(CODE, byCall), undefined);
  assert.equal(failed.model.owed(failed.at).length, 0);
});

test('budgets hold what both channels may cost', () => {
  const it = story({}, { budgets: [{ of: 'account', per: 'hour', money: 0.3 }] });
  assert.equal(it.verify(), undefined);
  const none = refused(429, 'budget-exhausted', { budget: 'account per hour' }, { 'retry-after': '3600' });
  assert.equal(it.at % HOUR, 0);
  const { model } = it;
  it.model = model.copy();
  assert.equal(it.verify({}, none), undefined);
  it.model = model;
  assert.match(it.verify() ?? '', /is exceeded/);
});

test('an SMS does not reach a landline that was called', () => {
  const it = story({ from: 'voice', to: 'sms', after: 20 * SECOND });
  const to = '+442079460000';
  it.verify({ to, channel: 'voice', code: CODE });
  assert.equal(it.sent(CODE, { to, channel: 'voice', carrier: 'one' }), undefined);
  assert.equal(later(it), undefined);
  assert.match(it.sent(CODE, { to, carrier: 'three' }) ?? '', /nobody’s code/);
});

test('a confirmation names the channel that delivered', () => {
  const it = story();
  const id = it.code(CODE);
  it.wait(20 * SECOND);
  it.sent(CODE, byCall);
  const report = { carrier: 'three', reference: 'r-call', status: 'delivered', taken: 'yes' } as const;
  it.model.judge({ kind: 'reported', at: it.at, ...report });
  it.wait(10 * SECOND);
  assert.equal(it.confirm(id, CODE), undefined);
  const told = (channel: string, carrier: string) => {
    const number = { destination: '+1••••••••01', country: 'US' };
    const more = { test: false, carrier, reason: null, metadata: null, at: new Date(it.at).toISOString() };
    const data = { id: `ver_${id}`, ...number, channel, ...more };
    const [type, signed] = ['verification.confirmed', unsigned(it.at)];
    const event = { account: 'a', id: 'm1', type, data, took: true, signed };
    const { model } = it;
    it.model = model.copy();
    const why = it.model.judge({ kind: 'told', at: it.at, ...event }) ?? it.model.end();
    it.model = model;
    return why;
  };
  assert.equal(told('voice', 'three'), undefined);
  assert.match(told('sms', 'one') ?? '', /the carrier of/);
});
