/** Codes over RCS that go on by a text, and are taken back before. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Played } from '../check.ts';
import { endDatabases } from '../machine/postgres/databases.ts';
import { playedWell } from './rig.ts';

after(endDatabases);

const AFTER = 5_000;
const LIVE = {
  countries: [],
  route: [{ carrier: 'one', price: 0.05 }],
  budgets: [],
  further: { rcs: [{ carrier: 'four', price: 0.02 }] },
  next: { from: 'rcs', to: 'sms', after: AFTER },
};
/** A code whose carrier gives this answer when it is asked back, and what happens after so many ms of that. */
const askedFor = (answer: string, ms: number, ...then: readonly string[]) => [
  `reload live=${JSON.stringify(LIVE)}`,
  'wait ms=2000',
  `take-back carrier=four answer=${JSON.stringify(answer)}`,
  'verify key=a-live to=+33612345678 channel=rcs code="482919"',
  `wait ms=${AFTER + ms}`,
  ...then,
  'wait ms=20000',
];
/** What carriers were asked for, and how long after the one before. */
function asked({ happenings }: Played): readonly (readonly [what: string, after: number])[] {
  const its = happenings.filter((it) => it.kind === 'sent' || it.kind === 'asked back');
  return its.map((it, n) => [it.kind === 'sent' ? it.channel : 'back', it.at - (its[n - 1]?.at ?? it.at)]);
}

test('what has not arrived is taken back in the moment in which the text goes', async () => {
  const played = await playedWell('', ...askedFor('revoked', 0));
  assert.deepEqual(
    asked(played).map(([what]) => what),
    ['rcs', 'back', 'sms'],
  );
  assert.equal(asked(played).at(-1)?.[1], 0);
  assert.ok(
    played.happenings.some((it) => it.kind === 'told' && JSON.stringify(it.data).includes('taken-back')),
  );
});

for (const store of ['sqlite', 'postgres']) {
  test(`a process that dies while it takes something back leaves that to the next (${store})`, async () => {
    const played = await playedWell(`store=${store}`, ...askedFor('unless arriving', 1_000, 'crash'));
    assert.deepEqual(
      asked(played).map(([what]) => what),
      ['rcs', 'back', 'back', 'sms'],
    );
  });

  test(`nothing goes after a confirmation while it is taken back (${store})`, async () => {
    const confirm = 'confirm key=a-live id=3 code="482919"';
    const played = await playedWell(`store=${store}`, ...askedFor('unless arriving', 1_000, confirm));
    assert.deepEqual(
      asked(played).map(([what]) => what),
      ['rcs', 'back'],
    );
  });
}

for (const meanwhile of ['report sent=0 status=delivered', 'erase number=+33612345678'])
  test(`nothing goes after ${meanwhile.split(' ')[0]} while it is taken back`, async () => {
    const played = await playedWell('', ...askedFor('unless arriving', 1_000, meanwhile));
    assert.deepEqual(
      asked(played).map(([what]) => what),
      ['rcs', 'back'],
    );
  });

test('what had arrived when its carrier was asked goes on only once it is reported undelivered', async () => {
  const played = await playedWell('', ...askedFor('arrived', 9_000, 'report sent=0 status=undelivered'));
  assert.deepEqual(
    asked(played).map(([what]) => what),
    ['rcs', 'back', 'sms'],
  );
});

test('a carrier that hangs when it is asked back keeps nobody from the text', async () => {
  const played = await playedWell('', ...askedFor('hung', 0));
  assert.deepEqual(asked(played).at(-1), ['sms', 5_000]);
});

test('a report in the very moment in which the text goes may be too late', async () => {
  const played = await playedWell(
    '',
    ...askedFor('unless arriving', 1_500, 'report sent=0 status=delivered'),
  );
  assert.deepEqual(asked(played).at(-1), ['sms', 1_500]);
});

test('nothing is taken back once the carriers of texts have used up their day', async () => {
  const next = { ...LIVE.next, carriers: [{ carrier: 'three', price: 0.2, cap: 1 }] };
  const played = await playedWell(
    '',
    `reload live=${JSON.stringify({ ...LIVE, next })}`,
    'wait ms=2000',
    'verify key=a-live to=+33612345678 channel=rcs code="482919"',
    `wait ms=${3 * AFTER}`,
    'verify key=a-live to=+14155550177 channel=rcs code="482920"',
    `wait ms=${10 * AFTER}`,
  );
  assert.deepEqual(
    asked(played).map(([what]) => what),
    ['rcs', 'back', 'sms', 'rcs'],
  );
});
