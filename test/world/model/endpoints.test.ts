import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Model } from './model.ts';
import type { Told } from './state.ts';
import { done, FIXED, LIVE, refused, Story, US, unsigned } from './story.ts';
import { DAY, HOUR } from './table.ts';

const SECRETS = ['one', 'two', 'three'].map((it) => `whsec_${Buffer.from(it.padEnd(32)).toString('base64')}`);
const [FIRST = '', SECOND = '', THIRD = ''] = SECRETS;

/** A code is asked for, and then the endpoint of its account changes. */
class Changing extends Story {
  constructor() {
    super();
    const limits = { ...FIXED.limits, sendsPerDestination: ['20/10m'] };
    this.model = new Model({ ...FIXED, limits }, LIVE, new Map([['a', FIRST]]));
  }
  /** What the model says of the message that a code was asked for. */
  says(secrets: readonly string[], destination = '+1••••••••01'): string | undefined {
    this.code(String(111111 + this.n));
    const asked = this.at - 1000;
    const at = new Date(asked).toISOString();
    const data = {
      id: `ver_${this.n}`,
      channel: 'sms',
      destination,
      country: 'US',
      test: false,
      carrier: null,
    };
    const body = JSON.stringify({ type: 'verification.requested', timestamp: at, data });
    const [id, timestamp] = [`msg_${this.n}`, String(this.at / 1000)];
    const sign = (secret: string) =>
      createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64');
    const signature = secrets.map((it) => `v1,${sign(it)}`).join(' ');
    const told: Told = {
      ...{ kind: 'told', at: this.at, account: 'a', id, type: 'verification.requested', took: true },
      ...{ data: { ...data, reason: null, metadata: null, at }, signed: { body, timestamp, signature } },
    };
    const { model } = this;
    this.model = model.copy();
    this.model.judge(told);
    this.wait(1);
    const why = this.model.end();
    if (why !== undefined) this.model = model;
    return why;
  }
  rotates(secret: string) {
    return this.does({ do: 'rotate-webhook', account: 'a' }, done({ secret }));
  }
}

test('a message is signed by the secret, and for a day after a rotation by the one before, too', () => {
  const it = new Changing();
  assert.equal(it.says([FIRST]), undefined);
  assert.match(it.says([SECOND]) ?? '', /not signed/);
  assert.match(it.says([]) ?? '', /not signed/);
  it.rotates(SECOND);
  it.wait(HOUR);
  assert.equal(it.says([SECOND, FIRST]), undefined);
  assert.match(it.says([SECOND]) ?? '', /not signed/);
  it.rotates(THIRD);
  it.wait(HOUR);
  assert.match(it.says([THIRD, SECOND, FIRST]) ?? '', /not signed/);
  assert.equal(it.says([THIRD, SECOND]), undefined);
  it.wait(DAY);
  assert.match(it.says([THIRD, SECOND]) ?? '', /not signed/);
  assert.equal(it.says([THIRD]), undefined);
});

test('numbers are full where an owner switched that on, and only there', () => {
  const it = new Changing();
  assert.match(it.says([FIRST], US) ?? '', /the destination of/);
  const full = { do: 'change-webhook', account: 'a', full: true } as const;
  it.does({ do: 'sign-in', by: 'dan' });
  assert.match(it.does({ ...full, by: 'dan' }) ?? '', /developer of a, did change-webhook/);
  assert.equal(it.does({ ...full, by: 'dan' }, refused(403, 'forbidden')), undefined);
  it.does(full);
  it.wait(HOUR);
  assert.equal(it.says([FIRST], US), undefined);
  assert.match(it.says([FIRST]) ?? '', /the destination of/);
  assert.match(it.does({ do: 'rotate-webhook', account: 'a', by: 'dan' }, done({})) ?? '', /did rotate/);
});

test('an endpoint is told what it wants, and nothing while it is disabled', () => {
  const it = new Changing();
  it.does({ do: 'change-webhook', account: 'a', types: ['delivery.accepted'] });
  it.wait(HOUR);
  assert.match(it.says([FIRST]) ?? '', /did not want/);
  assert.deepEqual(
    it.model.untold(it.at).map(({ what }) => what),
    ['delivery.accepted by one'],
  );
  it.does({ do: 'change-webhook', account: 'a', types: [] });
  it.does({ do: 'disable-webhook', account: 'a' });
  it.wait(HOUR);
  assert.match(it.says([FIRST]) ?? '', /is disabled/);
  assert.equal(it.does({ do: 'disable-webhook', account: 'a' }, refused(409, 'conflict')), undefined);
});

test('a test is told once somebody sent one', () => {
  const it = new Changing();
  const told: Told = {
    ...{ kind: 'told', at: it.at, account: 'b', id: 'msg_1', type: 'webhook.test', took: true },
    ...{ data: { at: new Date(it.at).toISOString() }, signed: unsigned(it.at) },
  };
  const before = it.model.copy();
  it.model.judge(told);
  it.wait(1);
  assert.match(it.model.end() ?? '', /nobody sent/);
  it.model = before;
  it.does({ do: 'test-webhook', account: 'b' }, done({ message: 'msg_1' }));
  assert.deepEqual(
    it.model.untold(it.at).map(({ what }) => what),
    ['webhook.test'],
  );
  it.model.judge({ ...told, at: it.at });
  it.wait(1);
  assert.equal(it.model.end(), undefined);
  assert.deepEqual(it.model.untold(it.at), []);
});

test('an endpoint is shown as it was set, and disabled only after five days of failures since it was enabled', () => {
  const it = new Story();
  it.does({ do: 'sign-in', by: 'ann' });
  const shows = (is: object) =>
    it.does(
      { do: 'list', by: 'ann', account: 'a', what: 'webhooks' },
      done([{ full_numbers: false, types: [], disabled_at: null, ...is }] as object),
    );
  const off = { disabled_at: new Date(it.at).toISOString() };
  assert.equal(shows({}), undefined);
  assert.match(shows({ full_numbers: true }) ?? '', /the endpoint of a is shown as/);
  assert.match(shows(off) ?? '', /is shown as/);
  it.code('111111');
  const data = { id: `ver_${it.n}`, at: new Date(it.at - 1000).toISOString() };
  const told = {
    kind: 'told',
    account: 'a',
    id: 'msg_1',
    type: 'verification.requested',
    took: false,
  } as const;
  const all = { ...told, at: it.at, signed: unsigned(it.at) };
  it.model.judge({
    ...all,
    data: {
      ...{ ...data, channel: 'sms', destination: '+1••••••••01', country: 'US', test: false, carrier: null },
      ...{ reason: null, metadata: null },
    },
  });
  it.wait(5 * DAY);
  it.does({ do: 'sign-in', by: 'ann' });
  assert.equal(shows(off), undefined);
  it.does({ do: 'enable-webhook', account: 'a' });
  it.wait(1);
  assert.match(shows(off) ?? '', /is shown as/);
});
