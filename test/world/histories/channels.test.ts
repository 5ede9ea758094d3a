/** Messages that go on by another channel. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endDatabases } from '../machine/postgres/databases.ts';
import { holdsOver, playedWell } from './rig.ts';

after(endDatabases);

/** The route of texts goes on by calls: so many ms later, or only once the carrier failed. */
const goesOn = (after?: number) =>
  `reload live=${JSON.stringify({
    countries: [],
    route: [{ carrier: 'one', price: 0.05 }],
    budgets: [],
    next: { from: 'sms', to: 'voice', after, carriers: [{ carrier: 'three', price: 0.2 }] },
  })}`;

for (const store of ['sqlite', 'postgres'])
  test(`a message goes on by another channel once and in its time, though its process dies again and again (${store})`, async () => {
    const played = await playedWell(
      `store=${store}`,
      goesOn(10_000),
      'wait ms=2000',
      'verify key=a-live to=+33612345678 channel=sms',
      'wait ms=4000',
      'crash',
      'wait ms=2000',
      'crash',
      'wait ms=60000',
    );
    const sent = played.happenings.flatMap((it) => (it.kind === 'sent' ? [it] : []));
    assert.deepEqual(
      sent.map(({ carrier, channel, code, at }) => [
        carrier,
        channel,
        code === sent[0]?.code,
        at - (sent[0]?.at ?? 0),
      ]),
      [
        ['one', 'sms', true, 0],
        ['three', 'voice', true, 10_000],
      ],
    );
  });

test('a message goes on by another channel unless it was delivered or confirmed, whatever its key may ask for', async () => {
  const played = await playedWell(
    '',
    goesOn(10_000),
    'bound-key key=b-live channels=["sms"] countries=[]',
    'wait ms=2000',
    'verify key=a-live to=+33612345678 channel=sms',
    'verify key=b-live to=+14155550102 channel=sms',
    'verify key=a-live to=+14155550177 channel=sms',
    'verify key=a-live to=+447911123457 channel=sms code="4829"',
    'report sent=2 status=delivered',
    'confirm key=a-live id=6 code="4829"',
    'wait ms=12000',
    'report sent=0 status=undelivered',
    'wait ms=20000',
  );
  const called = played.happenings.flatMap((it) =>
    it.kind === 'sent' && it.channel === 'voice' ? [it.to] : [],
  );
  assert.deepEqual(called.toSorted(), ['+14155550102', '+33612345678']);
});

test('a message whose further channel a reload takes away goes by the one before again', async () => {
  const played = await playedWell(
    '',
    goesOn(5_000),
    'wait ms=2000',
    'carrier carrier=one conduct=hung',
    'verify key=a-live to=+33612345678 channel=sms',
    'reload live={"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[]}',
    'wait ms=60000',
    'carrier carrier=one conduct=accepted',
    'wait ms=60000',
  );
  const sent = played.happenings.flatMap((it) => (it.kind === 'sent' ? [it] : []));
  assert.ok(sent.every(({ channel }) => channel === 'sms'));
  assert.equal(sent.at(-1)?.did, 'accepted');
});

for (const store of ['sqlite', 'postgres'])
  test(`a message that was taken stays with what was sent if a reload takes its further channel away (${store})`, async () => {
    const played = await playedWell(
      `store=${store}`,
      goesOn(5_000),
      'wait ms=2000',
      'verify key=a-live to=+33612345678 channel=sms',
      'reload live={"countries":[],"route":[{"carrier":"one","price":0.05},{"carrier":"two","price":0.1}],"budgets":[]}',
      'wait ms=60000',
      'report sent=0 status=undelivered',
      'wait ms=5000',
    );
    const sent = played.happenings.flatMap((it) => (it.kind === 'sent' ? [it.carrier] : []));
    assert.deepEqual(sent, ['one', 'two']);
  });

test('what is reported undelivered goes on by another channel at once, however often that is reported', async () => {
  const played = await playedWell(
    '',
    goesOn(),
    'wait ms=2000',
    'verify key=a-live to=+33612345678 channel=sms',
    'report sent=0 status=undelivered',
    'report sent=0 status=undelivered',
    'wait ms=2000',
    'report sent=0 status=undelivered',
    'report sent=1 status=undelivered',
    'look key=a-live id=2',
    'wait ms=60000',
  );
  const sent = played.happenings.flatMap((it) => (it.kind === 'sent' ? [it.channel] : []));
  assert.deepEqual(sent, ['sms', 'voice']);
});

holdsOver(
  'store=postgres',
  'what fails once its other channel is gone fails at the time of the database',
  goesOn(),
  'carrier carrier=one conduct=refused',
  'carrier carrier=three conduct="failed for now"',
  'clock ahead=-50000',
  'wait ms=2000',
  'verify key=a-live to=+33612345678 channel=sms',
  'wait ms=2000',
  'reload live={"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[]}',
  'wait ms=10000',
);
