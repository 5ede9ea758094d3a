import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import type { Receipt } from '../core/sending/carrier.ts';
import type { ReceiptOutcome } from '../core/sending/delivery.ts';
import type { ReceiptName } from '../core/sending/unusable-receipts.ts';
import { rememberingMetrics } from './fixture.ts';
import { UnusableReceipts } from './unusable-receipts.ts';

const receiptOf = (reference: string, carrier = 'smsc'): Receipt => ({
  ...{ carrier, references: [reference, 'spelled otherwise'], status: 'delivered' },
});

function watching(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const matched = new Set<string>();
  const counted: string[] = [];
  const logged: string[] = [];
  const asked: (readonly ReceiptName[])[] = [];
  let isAway = false;
  const unusable = new UnusableReceipts({
    clock: SYSTEM_CLOCK,
    store: {
      async stillEarly(names) {
        if (isAway) throw new Error('away');
        asked.push(names);
        return names.filter(({ reference }) => !matched.has(reference));
      },
    },
    deliveryMetrics: { ...rememberingMetrics(), unusable: (...told) => void counted.push(told.join(' ')) },
    log: (_, message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  });
  t.after(() => unusable.stop());
  let outcome: ReceiptOutcome['kind'] = 'early';
  const receive = unusable.watch(async () => outcome);
  return {
    ...{ unusable, receive, matched, counted, logged, asked },
    answer: (kind: ReceiptOutcome['kind']) => {
      outcome = kind;
    },
    away: (away: boolean) => {
      isAway = away;
    },
    async pass(ms: number) {
      now += ms;
      t.mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('a receipt that still matches no message after a minute is counted, and told without its content', async (t) => {
  const { receive, counted, logged, asked, matched, pass } = watching(t);
  for (const reference of ['r1', 'r2', 'r3']) await receive(receiptOf(reference));
  await receive(receiptOf('r4', 'gateway'));
  matched.add('r2');
  await pass(59_999);
  assert.deepEqual([counted, asked], [[], []]);
  await pass(1);
  assert.deepEqual(counted, ['smsc unmatched 2', 'gateway unmatched 1']);
  assert.deepEqual(logged, [
    'a receipt matches no message {"carrier":"smsc"}',
    'a receipt matches no message {"carrier":"gateway"}',
  ]);
  await pass(600_000);
  assert.equal(asked.length, 1, 'each is looked for once');
});

test('one that matched at once is not looked for', async (t) => {
  const { receive, answer, asked, pass } = watching(t);
  for (const kind of ['applied', 'duplicate'] as const) {
    answer(kind);
    await receive(receiptOf('r1'));
  }
  await pass(600_000);
  assert.deepEqual(asked, []);
});

test('what the store cannot say is asked again', async (t) => {
  const { receive, counted, away, pass } = watching(t);
  await receive(receiptOf('r1'));
  away(true);
  await pass(60_000);
  assert.deepEqual(counted, []);
  away(false);
  await pass(60_000);
  assert.deepEqual(counted, ['smsc unmatched 1']);
});

test('each kind is told once a minute for each carrier, and all are counted', (t) => {
  const { unusable, counted, logged } = watching(t);
  for (let count = 0; count < 3; count += 1) unusable.note('smsc', 'unreadable');
  unusable.note('smsc', 'forged');
  unusable.note('gateway', 'unreadable', 2);
  assert.deepEqual(counted, [
    ...Array.from({ length: 3 }, () => 'smsc unreadable 1'),
    'smsc forged 1',
    'gateway unreadable 2',
  ]);
  assert.equal(logged.length, 3);
});
