import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TakingBack } from '../command.ts';
import { Story, US, unsigned } from './story.ts';
import { SECOND } from './table.ts';

const AFTER = 20 * SECOND;
const CODE = '482919';
const sms = { channel: 'sms', carrier: 'one', reference: 'r-sms' } as const;

/** A code over RCS that goes on by a text; its command's number. */
function begun(): { it: Story; id: number } {
  const further = { rcs: [{ carrier: 'four', price: 0.02 }] };
  const it = new Story({}, { further, next: { from: 'rcs', to: 'sms', after: AFTER } });
  it.verify({ code: CODE, channel: 'rcs' });
  const why = it.sent(CODE, { channel: 'rcs', carrier: 'four', replacedAt: it.at + AFTER });
  assert.equal(why, undefined);
  return { it, id: it.n };
}
const asksBack = (it: Story, answer: TakingBack) =>
  it.model.judge({
    ...{ kind: 'asked back', at: it.at, carrier: 'four', channel: 'rcs', reference: `r-${CODE}`, answer },
  });

test('a text goes after what was before it was taken back, and in its time', () => {
  const { it } = begun();
  it.wait(AFTER);
  const { model } = it;
  it.model = model.copy();
  assert.match(it.sent(CODE, sms) ?? '', /was not taken back before/);
  for (const [answer, ms] of [
    ['revoked', 0],
    ['unless arriving', 1_500],
    ['hung', 5_000],
  ] as const) {
    const at = it.at;
    it.model = model.copy();
    assert.equal(asksBack(it, answer), undefined);
    it.wait(ms - 1);
    if (ms > 0) assert.match(it.sent(CODE, sms) ?? '', /was not taken back before/);
    it.at = at + ms;
    it.model = model.copy();
    it.model.judge({
      ...{ kind: 'asked back', at, carrier: 'four', channel: 'rcs', reference: `r-${CODE}`, answer },
    });
    assert.equal(it.sent(CODE, sms), undefined);
    it.at = at;
  }
});

test('nobody is asked back before its time, nor about what was not taken', () => {
  const { it } = begun();
  it.wait(AFTER - 1);
  assert.match(asksBack(it, 'revoked') ?? '', /before its time/);
  const { it: other } = begun();
  other.wait(AFTER);
  const happening = { kind: 'asked back', at: other.at, carrier: 'four', channel: 'rcs' } as const;
  const unknown = other.model.judge({ ...happening, reference: 'x', answer: 'revoked' });
  assert.match(unknown ?? '', /had not taken/);
});

test('nothing goes after a confirmation that came while it was taken back, however shortly before', () => {
  const { it, id } = begun();
  it.wait(AFTER);
  asksBack(it, 'unless arriving');
  it.wait(1_499);
  assert.equal(it.confirm(id, CODE, confirmed(it, id)), undefined);
  it.wait(1);
  assert.match(it.sent(CODE, sms) ?? '', /confirmed/);
});
const confirmed = (it: Story, id: number) => ({
  ...{ status: 200, headers: {} },
  body: { id: `ver_${id}`, destination: US, channel: 'rcs', confirmed_at: new Date(it.at).toISOString() },
});

test('what had arrived when its carrier was asked does not go on', () => {
  const { it } = begun();
  it.wait(AFTER);
  assert.equal(asksBack(it, 'arrived'), undefined);
  assert.match(it.sent(CODE, sms) ?? '', /had arrived/);
});

test('what was taken back is told as undelivered, and why', () => {
  const { it, id } = begun();
  it.wait(AFTER);
  const at = new Date(it.at).toISOString();
  asksBack(it, 'revoked');
  assert.equal(it.sent(CODE, sms), undefined);
  it.wait(SECOND);
  const says = (reason: string | null) => {
    const number = { destination: '+1••••••••01', country: 'US', test: false, metadata: null };
    const data = { id: `ver_${id}`, ...number, channel: 'rcs', carrier: 'four', reason, at };
    const signed = unsigned(it.at);
    const { model } = it;
    it.model = model.copy();
    const event = { account: 'a', id: 'm1', type: 'delivery.undelivered', data, took: true, signed };
    const why = it.model.judge({ kind: 'told', at: it.at, ...event }) ?? it.model.end();
    it.model = model;
    return why;
  };
  assert.equal(says('taken-back'), undefined);
  assert.match(says(null) ?? '', /the reason of/);
  assert.match(says('ABSENT') ?? '', /the reason of/);
});

test('its carrier is told when it has had its time', () => {
  const further = { rcs: [{ carrier: 'four', price: 0.02 }] };
  const it = new Story({}, { further, next: { from: 'rcs', to: 'sms', after: AFTER } });
  it.verify({ code: CODE, channel: 'rcs' });
  assert.match(it.sent(CODE, { channel: 'rcs', carrier: 'four' }) ?? '', /was told that a message ends at/);
});
