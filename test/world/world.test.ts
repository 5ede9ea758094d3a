/** Some histories of the simulated world, always the same, and those that once went wrong. `npm run world` plays more. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { findDifference } from './both-stores.ts';
import { type Played, playSeed, replay } from './check.ts';
import { formatHistory, parseHistory } from './history.ts';
import { endDatabases } from './machine/postgres/databases.ts';

const SEEDS = 80;
const LENGTH = 40;
const SHARED = { store: 'postgres', nodes: 3 } as const;
const SHARED_SEEDS = 3;
const SHARED_LENGTH = 25;

const told = ({ wrong, history }: Played) => `${wrong}\n${formatHistory(history)}`;
/** What requests for a code were answered. */
const answersOf = ({ happenings }: Played) =>
  happenings.flatMap((it) => (it.kind === 'command' && it.command.do === 'verify' ? [it.answer.status] : []));

/** A history that once went wrong, in a line; over the embedded store, or as `shared` says. */
const holds = (title: string, ...lines: readonly string[]) => holdsOver('', title, ...lines);
const holdsOver = (shared: string, title: string, ...lines: readonly string[]) =>
  test(title, async () => {
    const played = await replay(history(shared, ...lines));
    assert.equal(played.wrong, undefined, told(played));
  });

suite('the world', () => {
  after(endDatabases);

  test('what happens is what the documents allow, whoever asks for what and whatever fails', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const played = await playSeed(seed, LENGTH);
      assert.equal(played.wrong, undefined, told(played));
    }
  });

  test('one seed is one history, to the last byte', async () => {
    const [first, second] = [await playSeed(7, LENGTH), await playSeed(7, LENGTH)];
    assert.deepEqual(second.happenings, first.happenings);
    const again = await replay(parseHistory(formatHistory(first.history)));
    assert.deepEqual(again.happenings, first.happenings);
  });

  test('also where one to three nodes share a database', async () => {
    for (let seed = 1; seed <= SHARED_SEEDS; seed++) {
      const played = await playSeed(seed, SHARED_LENGTH, { ...SHARED, nodes: 1 + (seed % 3) });
      assert.equal(played.wrong, undefined, told(played));
    }
  });

  test('one seed is one history also there', async () => {
    const first = await playSeed(8, SHARED_LENGTH, SHARED);
    const again = await replay(parseHistory(formatHistory(first.history)));
    assert.deepEqual(again.happenings, first.happenings);
  });

  test('both stores answer the same', async () => {
    const { history } = await playSeed(208, SHARED_LENGTH);
    assert.equal(await findDifference(history), undefined);
  });

  test('on a full disk both stores refuse only what would change something', async () => {
    const asked = [
      'sign-in by=bob',
      'disk isFull=true',
      'rotate-key key=a-test name=k1 overlap=3600000 by=bob',
      'rotate-key key=b-test name=k2 overlap=3600000 by=bob',
    ];
    assert.equal(await findDifference(history('', ...asked)), undefined);
  });

  test('a node that sleeps with what it did unwritten has it done again by another one, and says so later', async () => {
    const played = await replay(
      history(
        'store=postgres nodes=3',
        'verify key=b-test to=+33612345678 channel=sms code="482913" node=2 & verify key=b-live to=+33612345678 channel=voice',
        'pause ms=20000',
      ),
    );
    assert.equal(played.wrong, undefined, told(played));
    assert.equal(played.happenings.filter(({ kind }) => kind === 'sent').length, 2);
  });

  holds(
    'what a process left that died has room within a budget only beside what it may have sent',
    'fault fault="crash after"',
    'verify key=a-live to=+33612345678 channel=voice',
    'verify key=a-live to=+14155550102 channel=voice',
  );

  for (const store of ['sqlite', 'postgres'])
    test(`what an erased message held comes back once nobody is sending it (${store})`, async () => {
      const live = `{"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[{"of":"country","per":"day","messages":1}]}`;
      const played = await replay(
        history(
          `store=${store}`,
          `reload live=${live}`,
          'carrier carrier=one conduct="failed for now"',
          'wait ms=2000',
          'verify key=a-live to=+447911123457 channel=sms',
          'erase number=+447911123457',
          'wait ms=20000',
          'verify key=b-live to=+447911123457 channel=sms',
        ),
      );
      assert.equal(played.wrong, undefined, told(played));
      assert.deepEqual(answersOf(played), [200, 200]);
    });

  for (const [where, by] of [
    ['', ''],
    [' in the portal', 'by=bob'],
  ])
    holdsOver(
      'store=postgres nodes=2',
      `a key that is replaced${where} ends at one time, whatever the clocks of nodes say`,
      'sign-in by=bob',
      'clock ahead=-50000',
      `rotate-key key=b-live name=k1 overlap=60000 ${by}`,
      `rotate-key key=b-test name=k2 overlap=60000 node=1 ${by}`,
      'wait ms=59000',
      'verify key=b-live to=+14155550177 channel=sms node=1',
      'verify key=b-test to=+14155550177 channel=sms',
      'wait ms=1001',
      'verify key=b-live to=+14155550177 channel=sms node=1',
      'verify key=b-test to=+14155550177 channel=sms',
    );

  holdsOver(
    'store=postgres',
    'what fails once its other channel is gone fails at the time of the database',
    'reload live={"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[],"next":{"from":"sms","carriers":[{"carrier":"three","price":0.2}]}}',
    'carrier carrier=one conduct=refused',
    'carrier carrier=three conduct="failed for now"',
    'clock ahead=-50000',
    'wait ms=2000',
    'verify key=a-live to=+33612345678 channel=sms',
    'wait ms=2000',
    'reload live={"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[]}',
    'wait ms=10000',
  );

  for (const store of ['sqlite', 'postgres'])
    test(`what waits is sent again by the budgets of now (${store})`, async () => {
      const live = (money?: number) =>
        JSON.stringify({
          countries: [],
          route: [{ carrier: 'one', price: 0.05 }],
          budgets: money === undefined ? [] : [{ of: 'installation', per: 'day', money }],
        });
      const played = await replay(
        history(
          `store=${store}`,
          `reload live=${live(0.14)}`,
          'carrier carrier=one conduct="failed for now"',
          'verify key=a-live to=+447911123457 channel=sms',
          `reload live=${live()}`,
          'carrier carrier=one conduct=hung',
          'wait ms=20000',
        ),
      );
      assert.equal(played.wrong, undefined, told(played));
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

  holds(
    'two systems that send the same code to one number are each served',
    'carrier carrier=one conduct="failed for now"',
    'hook system=casdoor to=+14155550177 code="482913"',
    'hook system=authentik to=+14155550177 code="482913"',
    'wait ms=3376',
  );

  holds(
    'the guess that a check takes from one of two codes of a moment may be either one’s',
    'settings account=a twilio=true countries=[]',
    'wait ms=3819',
    'verify key=a-test to=+15005550004 channel=sms',
    'crash',
    'verify key=a-test to=+15005550004 channel=sms',
    'twilio-check key=a-test of=+15005550004 code="100001"',
    'confirm key=a-test id=4 code="100001"',
  );

  for (const store of ['sqlite', 'postgres'])
    test(`a message goes on by another channel once and in its time, though its process dies again and again (${store})`, async () => {
      const live =
        '{"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[],"next":{"from":"sms","after":10000,"carriers":[{"carrier":"three","price":0.2}]}}';
      const played = await replay(
        history(
          `store=${store}`,
          `reload live=${live}`,
          'wait ms=2000',
          'verify key=a-live to=+33612345678 channel=sms',
          'wait ms=4000',
          'crash',
          'wait ms=2000',
          'crash',
          'wait ms=60000',
        ),
      );
      assert.equal(played.wrong, undefined, told(played));
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
    const live =
      '{"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[],"next":{"from":"sms","after":10000,"carriers":[{"carrier":"three","price":0.2}]}}';
    const played = await replay(
      history(
        '',
        `reload live=${live}`,
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
      ),
    );
    assert.equal(played.wrong, undefined, told(played));
    const called = played.happenings.flatMap((it) =>
      it.kind === 'sent' && it.channel === 'voice' ? [it.to] : [],
    );
    assert.deepEqual(called.toSorted(), ['+14155550102', '+33612345678']);
  });

  test('what is reported undelivered goes on by another channel at once, however often that is reported', async () => {
    const live =
      '{"countries":[],"route":[{"carrier":"one","price":0.05}],"budgets":[],"next":{"from":"sms","carriers":[{"carrier":"three","price":0.2}]}}';
    const played = await replay(
      history(
        '',
        `reload live=${live}`,
        'wait ms=2000',
        'verify key=a-live to=+33612345678 channel=sms',
        'report sent=0 status=undelivered',
        'report sent=0 status=undelivered',
        'wait ms=2000',
        'report sent=0 status=undelivered',
        'report sent=1 status=undelivered',
        'look key=a-live id=2',
        'wait ms=60000',
      ),
    );
    assert.equal(played.wrong, undefined, told(played));
    const sent = played.happenings.flatMap((it) => (it.kind === 'sent' ? [it.channel] : []));
    assert.deepEqual(sent, ['sms', 'voice']);
  });

  test('a budget has room for all channels, and what was not sent is given back', async () => {
    const live =
      '{"countries":[],"route":[{"carrier":"one","price":0.1}],"budgets":[{"of":"installation","per":"day","money":0.4}],"next":{"from":"sms","after":60000,"carriers":[{"carrier":"three","price":0.2}]}}';
    const played = await replay(
      history(
        '',
        `reload live=${live}`,
        'wait ms=2000',
        'verify key=a-live to=+33612345678 channel=sms code="4829"',
        'wait ms=1000',
        'verify key=a-live to=+14155550177 channel=sms',
        'confirm key=a-live id=2 code="4829"',
        'verify key=a-live to=+14155550177 channel=sms',
        'wait ms=90000',
      ),
    );
    assert.equal(played.wrong, undefined, told(played));
    assert.deepEqual(answersOf(played), [200, 429, 200]);
  });

  test('what waits for a cheap carrier goes by a dear one as far as the budget allows, and the rest waits', async () => {
    const live = (carrier: string, price: number, money: number) =>
      `reload live={"countries":[],"route":[{"carrier":"${carrier}","price":${price}}],"budgets":[{"of":"installation","per":"day","money":${money}}]}`;
    const played = await replay(
      history(
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
      ),
    );
    assert.equal(played.wrong, undefined, told(played));
    const before = played.happenings.findIndex((it) => it.kind === 'command' && it.n === 9);
    const paid = played.happenings.map((it) => it.kind === 'sent' && it.carrier === 'two');
    assert.deepEqual([paid.slice(0, before).filter(Boolean).length, paid.filter(Boolean).length], [1, 4]);
  });

  test('a test of a carrier whose process dies before the answer is not sent again', async () => {
    const played = await replay(
      history(
        '',
        'sign-in by=bob',
        'carrier carrier=one conduct=hung',
        'test-carrier by=bob account=b carrier=one to=+33612345678 channel=sms',
        'crash',
        'wait ms=60000',
      ),
    );
    assert.equal(played.wrong, undefined, told(played));
    assert.equal(played.happenings.filter(({ kind }) => kind === 'sent').length, 1);
  });

  holds(
    'what was answered under an idempotency key is answered to every key of the account, over a crash',
    'make-key account=a name=k1 test=false customCodes=false',
    'verify key=a-live to=+33612345678 channel=sms once=x',
    'crash',
    'verify key=k1 to=+33612345678 channel=sms once=x',
  );

  holdsOver(
    'fixed={"code":{"length":4,"validFor":600000,"guesses":5},"limits":{"sendsPerDestination":["2/10m"],"failedGuessesPerDestination":["2/1h"],"requestsPerKey":["4/1h"]},"retention":{"verifications":86400000,"events":604800000},"guard":"off"}',
    'requests of a key, sends and wrong codes still count after a crash',
    'make-key account=a name=k1 test=false customCodes=true',
    'verify key=a-live to=+33612345678 channel=sms code="4829"',
    'verify key=a-live to=+33612345678 channel=sms code="4830"',
    'confirm key=a-live id=1 code="0000"',
    'confirm key=a-live id=2 code="0000"',
    'verify key=a-live to=+14155550177 channel=sms',
    'verify key=a-live to=+447911123457 channel=sms',
    'crash',
    'confirm key=a-live id=1 code="4829"',
    'verify key=k1 to=+33612345678 channel=sms',
    'verify key=a-live to=+14155550177 channel=sms',
  );

  holds(
    'a key that was revoked stays revoked over a crash',
    'revoke-key key=a-live',
    'wait ms=1001',
    'verify key=a-live to=+33612345678 channel=sms',
    'crash',
    'verify key=a-live to=+33612345678 channel=sms',
  );

  holds(
    'a code that was confirmed stays so, and another one expires',
    'verify key=a-live to=+33612345678 channel=sms code="4829"',
    'verify key=a-live to=+33612345678 channel=sms code="4830"',
    'confirm key=a-live id=0 code="4829"',
    'wait ms=600001',
    'confirm key=a-live id=0 code="4829"',
    'confirm key=a-live id=1 code="4830"',
  );

  holds(
    'what an endpoint did not take outlives a stop, and nothing is told of a number that was erased',
    'endpoint account=a status=500',
    'verify key=a-live to=+33612345678 channel=sms',
    'verify key=a-live to=+14155550177 channel=sms',
    'wait ms=2000',
    'erase number=+33612345678',
    'restart',
    'endpoint account=a status=204',
    'wait ms=60000',
  );
});

/** A history in a world with a budget that is nearly too small for one message and another try. */
function history(shared: string, ...lines: readonly string[]) {
  const fixed = {
    code: { length: 4, validFor: 600_000, guesses: 5 },
    limits: { sendsPerDestination: ['3/10m'], failedGuessesPerDestination: ['4/1h'], requestsPerKey: [] },
    retention: { verifications: 86_400_000, events: 604_800_000 },
    guard: 'off',
  };
  const live = {
    countries: [],
    route: [
      { carrier: 'one', price: 0.05 },
      { carrier: 'two', price: 0.1 },
    ],
    budgets: [{ of: 'installation', per: 'day', money: 0.4 }],
  };
  const world = `world seed=1 fixed=${JSON.stringify(fixed)} live=${JSON.stringify(live)} ${shared}`;
  return parseHistory([world, ...lines].join('\n'));
}
