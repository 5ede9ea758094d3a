/** What is taken before a message is accepted, and who is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Charge, periodOf } from '../../../../../src/core/budgets/budget.ts';
import { DAY, guessAt, tally, unique } from '../../rig.ts';
import { type BudgetRig, NOW, SENDS, WORST } from './rig.ts';

export function describeTaking(rig: BudgetRig): void {
  const { budget, asking, issue, used, settle } = rig;

  /** The charges that are nearly used with one message more. */
  async function ask(charges: readonly Charge[], createdAt = NOW): Promise<readonly number[]> {
    const outcome = await rig.store.issue(asking(charges, { createdAt }));
    assert.equal(outcome.kind, 'issued');
    return outcome.kind === 'issued' ? (outcome.nearlyUsed ?? []) : [];
  }

  test('500 at the last cent: as many as fit', async () => {
    const day = budget({ money: 20 * WORST + WORST - 1, messages: 1_000 });
    // Its row is there, so nobody waits for whoever makes it.
    await issue([day]);
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        (rig.stores[i % rig.stores.length] ?? rig.store).issue(asking([day])),
      ),
    );
    assert.deepEqual(tally(outcomes), { issued: 19, exhausted: 481 });
    assert.deepEqual(await used(day), [20 * WORST, 20]);
  });

  test('500 at the last message: as many as fit, also where nothing has a price', async () => {
    const hour = budget({ per: 'hour', messages: 7 });
    const reservation = { charges: [hour], prices: { smsc: 0 } };
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        (rig.stores[i % rig.stores.length] ?? rig.store).issue(asking([], { reservation })),
      ),
    );
    assert.deepEqual(tally(outcomes), { issued: 7, exhausted: 493 });
    assert.deepEqual(await used(hour), [0, 7]);
  });

  test('of several budgets, all take or none; the one that frees up last is named', async () => {
    const hour = budget({ per: 'hour', money: 10 * WORST });
    const day = budget({ messages: 2 });
    const month = budget({ per: 'month', money: 2 * WORST });
    await issue([hour, day, month]);
    await issue([month, hour]);
    assert.deepEqual(await rig.store.issue(asking([hour, month, day])), {
      kind: 'exhausted',
      charge: 1,
      retryAfterMs: Date.UTC(2026, 11) - NOW,
    });
    await issue([hour, day]);
    assert.deepEqual(await rig.store.issue(asking([day, hour])), {
      kind: 'exhausted',
      charge: 0,
      retryAfterMs: Date.UTC(2026, 10, 23) - NOW,
    });
    assert.deepEqual(await used(hour), [3 * WORST, 3]);
    assert.deepEqual(await used(day), [2 * WORST, 2]);
    assert.deepEqual(await used(month), [2 * WORST, 2]);
  });

  test('what is full of another subject, or in another period, is not named', async () => {
    const [month, day] = [budget({ per: 'month', messages: 2 }), budget({ messages: 1 })];
    const others = [
      [{ ...month, subject: 'another' }, NOW],
      [{ ...month, ...periodOf('month', NOW + 30 * DAY) }, NOW + 30 * DAY],
    ] as const;
    for (const [charge, createdAt] of others)
      for (let i = 0; i < 2; i++) await issue([charge], { createdAt });
    await issue([month, day]);
    const retryAfterMs = Date.UTC(2026, 10, 23) - NOW;
    assert.deepEqual(await rig.store.issue(asking([month, day])), {
      kind: 'exhausted',
      charge: 1,
      retryAfterMs,
    });
  });

  test('a budget that is smaller than one message accepts none', async () => {
    const day = budget({ money: WORST - 1 });
    assert.equal((await rig.store.issue(asking([day]))).kind, 'exhausted');
    assert.equal((await rig.store.issue(asking([budget({ money: WORST })]))).kind, 'issued');
  });

  test('each subject and each period has its own', async () => {
    const day = budget({ messages: 1 });
    await issue([day]);
    assert.equal((await rig.store.issue(asking([day]))).kind, 'exhausted');
    await issue([{ ...day, subject: 'another' }]);
    await issue([{ ...day, per: 'hour', ...periodOf('hour', NOW) }]);
    const tomorrow = { ...day, ...periodOf('day', NOW + DAY) };
    await issue([tomorrow], { createdAt: NOW + DAY });
    assert.deepEqual(await used(day, NOW + DAY), [WORST, 1]);
    assert.deepEqual(
      (await rig.store.budgetUse(NOW, ['another']))
        .filter(({ kind, per }) => kind === day.kind && per === 'day')
        .map(({ subject, messages }) => `${subject ?? 'the others'}: ${messages}`)
        .sort(),
      ['another: 1', 'the others: 1'],
    );
  });

  test('periods that begin at one moment are counted apart', async () => {
    const at = Date.UTC(2026, 11, 1);
    const kind = unique('kind');
    const of = (per: Charge['per']) => budget({ kind, per, messages: 2 }, at);
    const [hour, day, month] = [of('hour'), of('day'), of('month')];
    for (const charge of [hour, hour, day]) await issue([charge], { createdAt: at });
    await settle(await issue([month], { createdAt: at }), { kind: 'failed' });
    const counts = await Promise.all([hour, day, month].map((charge) => used(charge, at)));
    assert.deepEqual(counts, [
      [2 * WORST, 2],
      [WORST, 1],
      [0, 0],
    ]);
  });

  test('a refusal leaves nothing: no verification, no send, no idempotency key', async () => {
    const day = budget({ messages: 1 });
    const destinationHash = unique('hash');
    await issue([day]);
    const idempotency = { keyHash: unique('key'), bodyHash: unique('body') };
    const accountId = unique('acc');
    const refused = asking([day], { idempotency, accountId, destinationHash });
    for (let i = 0; i < 2 * SENDS; i++) assert.equal((await rig.store.issue(refused)).kind, 'exhausted');
    assert.equal((await rig.store.confirm(guessAt(refused, 'right'))).kind, 'unknown');
    const again = { idempotency, accountId, destinationHash };
    await issue([], again);
    for (let i = 1; i < SENDS; i++) await issue([], { destinationHash });
    assert.equal((await rig.store.issue(asking([], { destinationHash }))).kind, 'limited');
  });

  test('a send that its destination’s limit refuses takes nothing', async () => {
    const day = budget({ messages: 10 });
    const destinationHash = unique('hash');
    for (let i = 0; i < SENDS; i++) await issue([day], { destinationHash });
    assert.equal((await rig.store.issue(asking([day], { destinationHash }))).kind, 'limited');
    assert.deepEqual(await used(day), [SENDS * WORST, SENDS]);
  });

  test('a replay is answered when the budget is used up, and takes nothing', async () => {
    const day = budget({ messages: 1 });
    const idempotency = { keyHash: unique('key'), bodyHash: unique('body') };
    const accountId = unique('acc');
    const first = await issue([day], { idempotency, accountId });
    const replay = await rig.store.issue(asking([day], { idempotency, accountId }));
    assert.ok(replay.kind === 'replayed' && replay.id === first.id);
    assert.deepEqual(await used(day), [WORST, 1]);
  });

  test('four fifths are told once in a period, of each limit', async () => {
    const day = budget({ messages: 10, money: 20 * WORST });
    const told: number[] = [];
    const free = budget({});
    for (let i = 1; i <= 10; i++) if ((await ask([free, day])).includes(1)) told.push(i);
    assert.deepEqual(told, [8]);
    const more = { ...day, messages: 20 };
    for (let i = 11; i <= 20; i++) if ((await ask([more])).length > 0) told.push(i);
    assert.deepEqual(told, [8, 16]);
    const paid = budget({ money: 10 * WORST });
    const toldOfMoney: number[] = [];
    for (let i = 1; i <= 10; i++) if ((await ask([paid])).length > 0) toldOfMoney.push(i);
    assert.deepEqual(toldOfMoney, [8]);
  });

  test('nor are those of another subject, or of another period that began with it', async () => {
    const at = Date.UTC(2026, 11, 1);
    const day = budget({ messages: 10 }, at);
    const others = [
      { ...day, subject: 'another', messages: 100 },
      { ...day, per: 'hour', ...periodOf('hour', at), messages: 100 },
    ] as const;
    for (const charge of others) for (let i = 0; i < 8; i++) await issue([charge], { createdAt: at });
    assert.deepEqual(await ask([day], at), []);
  });
}
