/** Missed calls, whose codes are the ends of numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, playedWell } from './rig.ts';

const live = (more: object = {}) =>
  `reload live=${JSON.stringify({
    ...{ countries: [], route: [{ carrier: 'one', price: 0.05 }], budgets: [] },
    ...{ further: { flashcall: [{ carrier: 'five', price: 0.03 }] }, ...more },
  })}`;
const NUMBERS = ['+33612345678', '+14155550177', '+14155550102', '+447911123457'];
const calls = (key: string, ...numbers: readonly string[]) =>
  numbers.map((to) => `verify key=${key} to=${to} channel=flashcall`);

test('at most half of all endings are taken, and a fifth by one account, until their codes are over', async () => {
  const played = await playedWell(
    '',
    live(),
    'crowd account=a many=1999 lasts=60000',
    ...calls('a-live', ...NUMBERS.slice(0, 2)),
    ...calls('b-live', ...NUMBERS.slice(0, 1)),
    ...calls('a-test', ...NUMBERS.slice(0, 1)),
    'wait ms=60000',
    ...calls('a-live', ...NUMBERS.slice(2, 3)),
    'crowd account=x many=5000 lasts=60000',
    ...calls('b-live', ...NUMBERS.slice(3)),
  );
  assert.deepEqual(answersOf(played), [200, 429, 200, 200, 200, 429]);
});

test('what was refused takes no ending from others', async () => {
  const [listed = '', ...others] = NUMBERS;
  const played = await playedWell(
    '',
    live(),
    `block account=a what=${listed}`,
    'crowd account=a many=1998 lasts=60000',
    ...calls('a-live', listed, listed, listed),
    'wait ms=3000',
    ...calls('a-live', ...others),
  );
  assert.deepEqual(answersOf(played), [400, 400, 400, 200, 200, 429]);
});

test('a guess at a number is held against none of its missed calls', async () => {
  const [to = ''] = NUMBERS;
  const checks = (code: string) => `twilio-check key=a-live of=${to} code=${JSON.stringify(code)}`;
  const played = await playedWell(
    '',
    live(),
    'settings account=a twilio=true camara=false countries=[]',
    'wait ms=2000',
    ...calls('a-live', to, to),
    checks('1000'),
    `verify key=a-live to=${to} channel=sms`,
    checks('1000'),
  );
  const checked = played.happenings.flatMap((it) =>
    it.kind === 'command' && it.command.do === 'twilio-check' ? [it.answer.status] : [],
  );
  assert.deepEqual(checked, [404, 200]);
});

test('its digits go on by a text, unless it rang', async () => {
  const played = await playedWell(
    '',
    live({ next: { from: 'flashcall', to: 'sms', after: 20_000 } }),
    'wait ms=2000',
    ...calls('a-live', NUMBERS[0] ?? ''),
    'carrier carrier=five conduct=arrived',
    ...calls('a-live', NUMBERS[1] ?? ''),
    'wait ms=30000',
  );
  const sent = played.happenings.flatMap((it) => (it.kind === 'sent' ? [it] : []));
  assert.deepEqual(
    sent.map(({ channel, to }) => [channel, to]),
    [
      ['flashcall', NUMBERS[0]],
      ['flashcall', NUMBERS[1]],
      ['sms', NUMBERS[0]],
    ],
  );
  assert.equal(sent[2]?.code, sent[0]?.code);
});

test('a configuration in which a missed call comes second changes nothing', async () => {
  const played = await playedWell(
    '',
    live({ next: { from: 'sms', to: 'flashcall', after: 20_000 } }),
    ...calls('a-live', NUMBERS[0] ?? ''),
  );
  const statuses = played.happenings.flatMap((it) => (it.kind === 'command' ? [it.answer.status] : []));
  assert.deepEqual(statuses.slice(0, 2), [400, 400]);
});
