import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import type { Outcome } from '../core/sending/carrier.ts';
import type { NextFallbackStep } from '../core/sending/fallback-steps.ts';
import { ACCEPTED, messageWith, PERMANENT, TEMPORARY } from './fixture.ts';
import type { Gate } from './gate/gate.ts';
import type { PassedOver } from './gate/gate-answer.ts';
import { type RoundFacts, type RoundPorts, runRound } from './round.ts';

/** Gates by name, each with the outcome of every submit. */
function gatesWith(outcomes: Record<string, Outcome | PassedOver>) {
  const asked: string[] = [];
  /** Those that could have gone to another carrier. */
  const hurried: string[] = [];
  const gates = Object.entries(outcomes).map(
    ([name, outcome]): Gate => ({
      name,
      silent: name === 'silent',
      admits: () => outcome.kind !== 'passed',
      takesBack: false,
      submit(_message, _wish, elsewhere) {
        asked.push(name);
        if (elsewhere()) hurried.push(name);
        return outcome.kind === 'passed' ? outcome : Promise.resolve(outcome);
      },
      revoke: () => undefined,
      abort() {},
    }),
  );
  return { gates, asked, hurried };
}

const FRESH: RoundFacts = { wanted: true, rounds: 0, spentCarriers: [] };
const spentBefore = (...spentCarriers: string[]): RoundFacts => ({ ...FRESH, rounds: 1, spentCarriers });
const CLOSED: PassedOver = { kind: 'passed', reason: 'breaker open' };
interface Later {
  readonly nextFallbackStep?: NextFallbackStep;
  readonly createdAt?: number;
}
const run = (
  gates: readonly Gate[],
  facts = FRESH,
  message = messageWith(),
  clock = SYSTEM_CLOCK,
  { nextFallbackStep, createdAt = Date.now() }: Later = {},
) =>
  runRound(
    message,
    gates.map((gate) => ({ gate, why: `${gate.name} of ${gates.length}` })),
    facts,
    {
      clock,
      random: SYSTEM_RANDOM,
      recipientTag: (address) => `tag of ${address}`,
      costOf: (carrier) => (carrier === 'a' ? 80_000 : 50_000),
      nextFallbackStep: () => nextFallbackStep,
    },
    createdAt,
  );

suite('round', () => {
  test('the first carrier that takes the message ends it', async () => {
    const { gates, asked } = gatesWith({ a: ACCEPTED, b: ACCEPTED });
    const { attempts, next } = await run(gates);
    assert.deepEqual(asked, ['a']);
    assert.deepEqual(next, { kind: 'submitted', failover: true });
    const [{ startedAt, endedAt, ...attempt } = { startedAt: 0, endedAt: 0 }, ...others] = attempts;
    assert.deepEqual(others, []);
    assert.ok(startedAt > 0 && endedAt >= startedAt);
    assert.deepEqual(attempt, {
      carrier: 'a',
      channel: null,
      outcome: 'accepted',
      reference: 'r1',
      recipientTag: 'tag of +4915112345678',
      reason: null,
      choice: 'a of 2',
      cost: 80_000,
    });
  });

  test('who was accepted is known, also by a carrier that names no message: they may answer', async () => {
    const { gates } = gatesWith({ a: { kind: 'accepted' } });
    const { attempts } = await run(gates);
    assert.deepEqual(
      attempts.map(({ reference, recipientTag }) => [reference, recipientTag]),
      [[null, 'tag of +4915112345678']],
    );
  });

  test('of a carrier from which nothing comes back, the recipient is not kept', async () => {
    const { gates } = gatesWith({ silent: { kind: 'accepted', reference: 'r1' } });
    const [attempt] = (await run(gates)).attempts;
    assert.deepEqual([attempt?.reference, attempt?.recipientTag], ['r1', null]);
  });

  for (const failure of [TEMPORARY, PERMANENT]) {
    test(`${failure.kind} fails over at once, in the order of the route`, async () => {
      const { gates, asked } = gatesWith({ a: failure, b: failure, c: ACCEPTED, d: ACCEPTED });
      const { attempts, next } = await run(gates);
      assert.deepEqual(asked, ['a', 'b', 'c']);
      assert.equal(next.kind, 'submitted');
      assert.deepEqual(
        attempts.map(({ carrier, outcome, reason }) => [carrier, outcome, reason]),
        [
          ['a', failure.kind, failure.reason],
          ['b', failure.kind, failure.reason],
          ['c', 'accepted', null],
        ],
      );
    });
  }

  test('delivered ends it, and says whether the message is in the inbox', async () => {
    for (const inbox of [true, false]) {
      const { gates } = gatesWith({ a: inbox ? { kind: 'delivered', inbox } : { kind: 'delivered' } });
      const { attempts, next } = await run(gates);
      assert.deepEqual(next, { kind: 'delivered', inbox });
      assert.deepEqual([attempts[0]?.reference, attempts[0]?.recipientTag], [null, null]);
    }
  });

  test('a closed gate is skipped without an attempt', async () => {
    const { gates } = gatesWith({ a: CLOSED, b: ACCEPTED });
    const { attempts } = await run(gates);
    assert.deepEqual(
      attempts.map(({ carrier }) => carrier),
      ['b'],
    );
  });

  test('a choice says which carriers were skipped, and why', async () => {
    const { gates } = gatesWith({ a: ACCEPTED, b: CLOSED, c: TEMPORARY, d: ACCEPTED });
    const { attempts } = await run(gates, spentBefore('a'));
    const choice = 'of 4; a failed before; b breaker open';
    assert.deepEqual(
      attempts.map((attempt) => attempt.choice),
      [`c ${choice}`, `d ${choice}`],
    );
  });

  test('without a choice there is nothing to say', async () => {
    const [gate] = gatesWith({ a: ACCEPTED }).gates;
    assert.ok(gate);
    const ports: RoundPorts = {
      ...{
        clock: SYSTEM_CLOCK,
        random: SYSTEM_RANDOM,
        recipientTag: () => 'tag',
        costOf: () => 0,
        nextFallbackStep: () => undefined,
      },
    };
    const { attempts } = await runRound(messageWith(), [{ gate, why: null }], FRESH, ports, 0);
    assert.equal(attempts[0]?.choice, null);
  });

  test('only a message that a carrier took costs anything', async () => {
    const { gates } = gatesWith({ a: TEMPORARY, b: PERMANENT, c: { kind: 'delivered' } });
    const { attempts } = await run(gates);
    assert.deepEqual(
      attempts.map(({ cost }) => cost),
      [0, 0, 50_000],
    );
  });

  test('a carrier that took a message, or may have, charges for it', async () => {
    const { gates } = gatesWith({
      a: TEMPORARY,
      b: { ...TEMPORARY, unclear: true },
      c: PERMANENT,
      d: { ...PERMANENT, unclear: true },
      e: { ...TEMPORARY, link: 'lost' },
      f: CLOSED,
      g: ACCEPTED,
    });
    assert.deepEqual((await run(gates)).charged, ['b', 'd', 'e', 'g']);
    assert.deepEqual((await run(gatesWith({ a: { kind: 'delivered' } }).gates)).charged, ['a']);
  });

  test('a message need not wait while a later carrier may take it', async () => {
    const facts = spentBefore('c');
    const { gates, hurried } = gatesWith({ a: TEMPORARY, b: TEMPORARY, c: ACCEPTED, d: CLOSED });
    await run(gates, facts);
    assert.deepEqual(hurried, ['a']);
  });

  test('spent carriers are not asked again', async () => {
    const { gates, asked } = gatesWith({ a: ACCEPTED, b: TEMPORARY });
    const { next } = await run(gates, spentBefore('a'));
    assert.deepEqual(asked, ['b']);
    assert.equal(next.kind, 'retry');
  });

  test('it fails when every carrier is spent, and only then', async () => {
    const all = gatesWith({ a: PERMANENT, b: PERMANENT });
    assert.equal((await run(all.gates)).next.kind, 'failed');
    const withPast = gatesWith({ a: ACCEPTED, b: PERMANENT });
    assert.equal((await run(withPast.gates, spentBefore('a'))).next.kind, 'failed');
    const oneLeft = gatesWith({ a: PERMANENT, b: TEMPORARY });
    assert.equal((await run(oneLeft.gates)).next.kind, 'retry');
    const closed = gatesWith({ a: PERMANENT, b: CLOSED });
    assert.equal((await run(closed.gates)).next.kind, 'retry');
  });

  test('without a carrier here it waits for a node that has one, unless the next channel can take over', async () => {
    const begun = Date.now();
    const { attempts, next, charged } = await run([]);
    assert.deepEqual([attempts, charged], [[], []]);
    assert.ok(next.kind === 'retry' && next.dueAt > begun && next.leg === undefined);
    const nextFallbackStep = { leg: 1, patience: undefined, after: undefined };
    const onward = await run([], FRESH, messageWith(), SYSTEM_CLOCK, { nextFallbackStep });
    assert.equal(onward.next.kind === 'retry' && onward.next.leg, 1);
    const over = await run([], FRESH, messageWith({ expiresAt: begun }));
    assert.equal(over.next.kind, 'failed');
  });

  test('a retry waits for the backoff, or longer if a carrier asks for it', async () => {
    const begun = Date.now();
    const plain = await run(gatesWith({ a: TEMPORARY }).gates);
    assert.ok(plain.next.kind === 'retry');
    assert.ok(plain.next.dueAt >= begun + 250);
    assert.ok(Number.isInteger(plain.next.dueAt), 'times are whole ms everywhere');
    const wished = await run(gatesWith({ a: { ...TEMPORARY, retryAfterMs: 60_000 }, b: PERMANENT }).gates);
    assert.ok(wished.next.kind === 'retry' && wished.next.dueAt >= begun + 60_000);
  });

  test('a carrier that asks for a wait delays nothing for those that did not', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    const waitAfter = async (outcomes: Record<string, Outcome | PassedOver>) => {
      const { next } = await run(gatesWith(outcomes).gates);
      return next.kind === 'retry' ? next.dueAt - 1_000_000 : 0;
    };
    const [long, short] = [90_000, 30_000].map((retryAfterMs) => ({ ...TEMPORARY, retryAfterMs }) as const);
    assert.ok(long && short);
    assert.ok((await waitAfter({ a: long, b: TEMPORARY })) <= 500);
    assert.ok((await waitAfter({ a: long, b: CLOSED })) <= 500);
    assert.equal(await waitAfter({ a: long, b: short }), 30_000);
    const busy = { ...long, uncounted: true } as const;
    assert.equal(await waitAfter({ a: busy, b: TEMPORARY }), 90_000, 'it is the telephone that is busy');
  });

  suite('a carrier that wants a pause', () => {
    const throttled = (retryAfterMs: number): Outcome => ({ ...TEMPORARY, throttled: true, retryAfterMs });
    const paused = (pauseMs: number): PassedOver => ({ kind: 'passed', reason: 'paused', pauseMs });
    const goesOn = async (
      answer: Outcome | PassedOver,
      { patience, validMs = 600_000 }: { readonly patience?: number; readonly validMs?: number },
    ) => {
      const now = 1_000_000;
      const later = { nextFallbackStep: { leg: 1, after: undefined, patience }, createdAt: now };
      const message = messageWith({ expiresAt: now + validMs });
      const clock = { ...SYSTEM_CLOCK, now: () => now };
      const { next } = await run(gatesWith({ a: answer, b: PERMANENT }).gates, FRESH, message, clock, later);
      return next.kind === 'retry' && next.leg === 1;
    };

    test('for longer than the code lives is not waited for where there is another channel', async () => {
      for (const answer of [throttled, paused]) {
        assert.equal(await goesOn(answer(600_000), {}), true);
        assert.equal(await goesOn(answer(599_999), {}), false);
        assert.equal(await goesOn(answer(30_000), { validMs: 30_000, patience: 60_000 }), true);
      }
    });

    test('for longer than the next channel waits is not waited for', async () => {
      for (const answer of [throttled, paused]) {
        assert.equal(await goesOn(answer(20_000), { patience: 20_000 }), true);
        assert.equal(await goesOn(answer(19_999), { patience: 20_000 }), false);
      }
    });
  });

  test('who waits for a link is not made to wait longer each time, unless a carrier failed', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    const facts = { ...FRESH, rounds: 10 };
    const noLink: PassedOver = { kind: 'passed', reason: 'no link' };
    const waitAfter = async (outcomes: Record<string, Outcome | PassedOver>) => {
      const { next } = await run(gatesWith(outcomes).gates, facts, messageWith());
      return next.kind === 'retry' ? next.dueAt - 1_000_000 : 0;
    };
    const lost = { ...TEMPORARY, link: 'lost' } as const;
    for (const outcomes of [{ a: CLOSED, b: noLink }, { a: lost }, { a: lost, b: noLink }]) {
      const soon = await waitAfter(outcomes);
      assert.ok(soon >= 250 && soon <= 500, `${soon}`);
    }
    const asked = await waitAfter({ a: noLink, b: TEMPORARY });
    assert.ok(asked >= 2_500, `${asked}`);
  });

  suite('failover after the acceptance', () => {
    const accept = async (outcomes: Record<string, Outcome>, spentCarriers: string[] = []) => {
      const { next } = await run(gatesWith(outcomes).gates, { ...FRESH, spentCarriers });
      return next.kind === 'submitted' && next.failover;
    };

    test('is kept open while another carrier could send it', async () => {
      assert.equal(await accept({ a: ACCEPTED, b: ACCEPTED }), true);
      assert.equal(await accept({ a: TEMPORARY, b: ACCEPTED }), true);
    });

    test('is not when there is none, or none that is not spent', async () => {
      assert.equal(await accept({ a: ACCEPTED }), false);
      assert.equal(await accept({ a: PERMANENT, b: ACCEPTED }), false);
      assert.equal(await accept({ a: ACCEPTED, b: ACCEPTED }, ['b']), false);
    });

    test('is not when no receipt can come', async () => {
      assert.equal(await accept({ a: { kind: 'accepted', reference: 'r1' }, b: ACCEPTED }), false);
    });
  });

  test('nothing is sent once the code has expired', async () => {
    const { gates, asked } = gatesWith({ a: ACCEPTED });
    const { attempts, next } = await run(gates, FRESH, messageWith({ expiresAt: Date.now() - 1 }));
    assert.deepEqual([asked, attempts, next], [[], [], { kind: 'failed' }]);
  });

  test('nothing is sent in the ms in which the code expires', async () => {
    const { gates, asked } = gatesWith({ a: ACCEPTED });
    const expiresAt = Date.now();
    const clock = { ...SYSTEM_CLOCK, now: () => expiresAt };
    const { next } = await run(gates, FRESH, messageWith({ expiresAt }), clock);
    assert.deepEqual([asked, next], [[], { kind: 'failed' }]);
  });

  test('no carrier is asked for what is not wanted any more', async () => {
    const { gates, asked } = gatesWith({ a: ACCEPTED });
    await run(gates, { ...FRESH, wanted: false });
    assert.deepEqual(asked, []);
  });
});
