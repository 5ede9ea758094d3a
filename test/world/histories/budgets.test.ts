/** What messages cost, whatever becomes of them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endDatabases } from '../machine/postgres/databases.ts';
import { answersOf, holds, playedWell } from './rig.ts';

after(endDatabases);

holds(
  'what a process left that died has room within a budget only beside what it may have sent',
  'fault fault="crash after"',
  'verify key=a-live to=+33612345678 channel=voice',
  'verify key=a-live to=+14155550102 channel=voice',
);

for (const store of ['sqlite', 'postgres'])
  test(`what an erased message held comes back once nobody is sending it (${store})`, async () => {
    const live = `{"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[{"of":"country","per":"day","messages":1}]}`;
    const played = await playedWell(
      `store=${store}`,
      `reload live=${live}`,
      'carrier carrier=one conduct="failed for now"',
      'wait ms=2000',
      'verify key=a-live to=+447911123457 channel=sms',
      'erase number=+447911123457',
      'wait ms=20000',
      'verify key=b-live to=+447911123457 channel=sms',
    );
    assert.deepEqual(answersOf(played), [200, 200]);
  });

for (const store of ['sqlite', 'postgres'])
  test(`what waits is sent again by the budgets of now (${store})`, async () => {
    const live = (money?: number) =>
      JSON.stringify({
        countries: [],
        route: [{ carrier: 'one', price: 0.05 }],
        budgets: money === undefined ? [] : [{ of: 'installation', per: 'day', money }],
      });
    await playedWell(
      `store=${store}`,
      `reload live=${live(0.14)}`,
      'carrier carrier=one conduct="failed for now"',
      'verify key=a-live to=+447911123457 channel=sms',
      `reload live=${live()}`,
      'carrier carrier=one conduct=hung',
      'wait ms=20000',
    );
  });

holds(
  'a round that goes on when its code expires is paid for once',
  `reload live={"countries":[],"route":[{"carrier":"one","price":0.05},{"carrier":"two","price":0.1}],"budgets":[{"of":"key","per":"hour","money":0.2}]}`,
  'carrier carrier=one conduct="failed for now"',
  'carrier carrier=two conduct="failed for now"',
  'verify key=a-live to=+14155550177 channel=sms code="482915"',
  'wait ms=594348',
  'carrier carrier=one conduct=hung',
  'wait ms=20000',
  'wait ms=20000',
  'verify key=a-live to=+14155550177 channel=sms',
);

test('a budget has room for all channels, and what was not sent is given back', async () => {
  const live =
    '{"countries":[],"route":[{"carrier":"one","price":0.1}],"budgets":[{"of":"installation","per":"day","money":0.4}],"next":{"from":"sms","to":"voice","after":60000,"carriers":[{"carrier":"three","price":0.2}]}}';
  const played = await playedWell(
    '',
    `reload live=${live}`,
    'wait ms=2000',
    'verify key=a-live to=+33612345678 channel=sms code="4829"',
    'wait ms=1000',
    'verify key=a-live to=+14155550177 channel=sms',
    'confirm key=a-live id=2 code="4829"',
    'verify key=a-live to=+14155550177 channel=sms',
    'wait ms=90000',
  );
  assert.deepEqual(answersOf(played), [200, 429, 200]);
});

test('what waits for a cheap carrier goes by a dear one as far as the budget allows, and the rest waits', async () => {
  const live = (carrier: string, price: number, money: number) =>
    `reload live={"countries":[],"route":[{"carrier":"${carrier}","price":${price}}],"budgets":[{"of":"installation","per":"day","money":${money}}]}`;
  const played = await playedWell(
    '',
    live('one', 0.01, 1.5),
    'wait ms=2000',
    'carrier carrier=one conduct="failed for now"',
    'verify key=a-live to=+33612345678 channel=sms',
    'verify key=a-live to=+14155550177 channel=sms',
    'verify key=a-live to=+447911123457 channel=sms',
    'verify key=a-live to=+14155550102 channel=sms',
    live('two', 1, 1.5),
    'wait ms=30000',
    'verify key=b-live to=+33612345678 channel=sms',
    live('two', 1, 100),
    'wait ms=60000',
  );
  const before = played.happenings.findIndex((it) => it.kind === 'command' && it.n === 9);
  const paid = played.happenings.map((it) => it.kind === 'sent' && it.carrier === 'two');
  assert.deepEqual([paid.slice(0, before).filter(Boolean).length, paid.filter(Boolean).length], [1, 4]);
});

const priced = (carrier: string, price: number, budgets: string) =>
  `reload live={"countries":[],"route":[{"carrier":"${carrier}","price":${price}}],"budgets":[${budgets}]}`;
holds(
  'a budget that comes while messages wait counts them by the prices that they are sent for',
  priced('two', 0.1, ''),
  'carrier carrier=two conduct="failed for now"',
  'wait ms=2000',
  'verify key=a-live to=+14155550101 channel=sms',
  'verify key=a-live to=+447911123456 channel=sms',
  priced('two', 0.05, '{"of":"account","per":"day","money":0.14}'),
  'wait ms=16000',
);

holds(
  'what found no room in a budget that came and went need not have gone on by another channel',
  'reload live={"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[],"next":{"from":"sms","to":"voice","after":20000}}',
  'wait ms=2000',
  'verify key=b-live to=+14155550177 channel=sms',
  'verify key=b-live to=+14155550177 channel=sms',
  'settings account=b twilio=false countries=["US"] wrong=["4/1h"] budgets=[{"of":"account","per":"day","money":0.05}]',
  'wait ms=598705',
  'settings account=b twilio=true countries=[]',
);
