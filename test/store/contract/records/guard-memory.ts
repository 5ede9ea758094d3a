/** What the guard learns is told to other nodes and survives a restart. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { OutcomeUnknown, StoreUnavailable } from '../../../../src/core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../../src/core/seams/random.ts';
import { query, type Records } from '../../../../src/core/sql/records.ts';
import { START, Stage } from '../../../../src/guard/fixture.ts';
import { MemoryKeeper } from '../../../../src/guard/live/memory-keeper.ts';
import { DAY, LAX, MINUTE, type OpenedStore, type OpenStore, SECOND } from '../rig.ts';

const ROUND = 900;
const ASKED = '+212612345678';
const KNOWN = '+212698765432';
const FLOODED = '+212661234';

class Node {
  readonly stage: Stage;
  readonly keeper: MemoryKeeper;
  readonly logged: string[] = [];

  constructor(records: Records, now: number, shared = true) {
    this.stage = new Stage({ shares: shared, origin: START - 180 * DAY });
    this.stage.now = now;
    const time = () => this.stage.now;
    const log = (_: string, message: string) => void this.logged.push(message);
    this.keeper = new MemoryKeeper({
      ...{ guard: this.stage.guard, records, shared, log },
      ...{ now: time, clock: { ...SYSTEM_CLOCK, steady: time }, random: SYSTEM_RANDOM },
    });
  }

  /** What another node must know: a number of somebody else, a flooded range, a known number. */
  learn(): void {
    this.stage.everyday(50, MINUTE);
    assert.ok(this.stage.person(KNOWN));
    assert.ok(this.stage.request(ASKED).allow);
    this.stage.flood(FLOODED, 60, SECOND);
  }

  /** What it refuses of that, and that it knows the number. */
  assertKnows(): void {
    const { stage } = this;
    const bombing = stage.request(ASKED, { account: 'globex' });
    assert.equal(!bombing.allow && bombing.rule, 'bombing');
    const closed = stage.request(`${FLOODED}900`);
    assert.match(closed.allow ? '' : closed.rule, /^closed:range/);
    const known = stage.guard.explain(stage.ask(KNOWN, { account: 'initech' })).number;
    assert.deepEqual([known.isKnown, known.unconfirmed], [true, 0]);
  }

  unconfirmedOf(destination: string): number {
    return this.stage.guard.explain(this.stage.ask(destination)).number.unconfirmed;
  }
}

/** Each takes its round, as many times as asked for. */
async function takeRounds(nodes: readonly Node[], count = 1): Promise<void> {
  for (let round = 0; round < count; round++) {
    for (const { stage, keeper } of nodes) {
      await keeper.takeRound();
      stage.wait(ROUND);
    }
  }
}

/** A store that fails as asked to: before it did anything, or after. */
function failing(records: Records) {
  const state: { fails: 'before' | 'after' | undefined } = { fails: undefined };
  const transact: Records['transact'] = async (steps, announce) => {
    if (state.fails === 'before') throw new StoreUnavailable('down');
    const answer = await records.transact(steps, announce);
    if (state.fails === 'after') throw new OutcomeUnknown('lost');
    return answer;
  };
  return { state, records: { ...records, transact } };
}

export function describeGuardMemory(open: OpenStore): void {
  suite('memory of the guard', () => {
    let opened: OpenedStore;
    let records: Records;
    beforeEach(async () => {
      opened = await open(LAX);
      records = opened.store;
    });
    afterEach(() => opened.dispose());

    test('what one node learns the other knows after a round of each', async () => {
      const [one, other] = [new Node(records, START), new Node(records, START)];
      await takeRounds([one, other]);
      one.learn();
      other.stage.now = one.stage.now;
      await takeRounds([one, other]);
      other.assertKnows();
      assert.deepEqual([...one.logged, ...other.logged], []);
      const told = async () => (await query(records, 'SELECT sequence FROM guard_news')).length;
      for (const { stage } of [one, other]) stage.wait(10 * MINUTE);
      await takeRounds([one, other], 2);
      const before = await told();
      await takeRounds([one, other], 2);
      assert.equal(await told(), before, 'nothing changed, so nothing is told');
      for (const { stage } of [one, other]) stage.wait(MINUTE);
      await takeRounds([one, other]);
      for (const { stage } of [one, other]) stage.wait(MINUTE);
      await takeRounds([one, other]);
      assert.equal(await told(), 0, 'what is old is deleted');
    });

    test('a node that was long behind hears all of it', async () => {
      const [one, other] = [new Node(records, START), new Node(records, START)];
      await takeRounds([one, other]);
      // More than are read at once.
      for (let i = 0; i < 60; i++) {
        const somebody = one.stage.somebody();
        assert.ok(one.stage.request(somebody).allow);
        one.stage.guard.confirmed(one.stage.ask(somebody));
        await takeRounds([one]);
      }
      assert.ok(one.stage.request(ASKED).allow);
      await takeRounds([one]);
      other.stage.now = one.stage.now;
      await takeRounds([other], 3);
      assert.equal(Math.round(other.unconfirmedOf(ASKED)), 1);
    });

    test('what a node told itself counts once', async () => {
      const one = new Node(records, START);
      await takeRounds([one]);
      one.stage.request(ASKED);
      await takeRounds([one], 3);
      assert.equal(Math.round(one.unconfirmedOf(ASKED) * 10), 10);
    });

    test('after a kill it is there as of a minute ago at most, and of several nodes one writes it', async () => {
      let writes = 0;
      const transact: Records['transact'] = (steps, announce) => {
        writes += steps.filter((step) => 'sql' in step && /INTO guard_memory/.test(step.sql)).length;
        return records.transact(steps, announce);
      };
      const counting = { ...records, transact };
      const [one, other] = [new Node(counting, START), new Node(counting, START)];
      await takeRounds([one, other]);
      one.learn();
      other.stage.now = one.stage.now;
      await takeRounds([one, other], Math.ceil(MINUTE / ROUND));
      assert.ok(writes > 40 && writes < 100, `${writes} of 65 buckets`);
      records = await opened.reopen();
      const after = new Node(records, one.stage.now);
      await after.keeper.takeRound();
      after.assertKnows();
    });

    test('a stop keeps everything, and is not told twice to who starts then', async () => {
      const one = new Node(records, START, false);
      await one.keeper.takeRound();
      one.learn();
      await one.keeper[Symbol.asyncDispose]();
      const told = new Node(records, one.stage.now);
      await told.keeper.takeRound();
      told.stage.request(told.stage.somebody());
      await told.keeper[Symbol.asyncDispose]();
      const after = new Node(records, told.stage.now);
      await takeRounds([after], 2);
      after.assertKnows();
      assert.equal(Math.round(after.unconfirmedOf(ASKED) * 10), 10);
    });

    test('a node whose clock is a day ahead does no harm, nor does what it kept', async () => {
      const [ahead, right] = [new Node(records, START + DAY), new Node(records, START)];
      await takeRounds([ahead, right]);
      ahead.learn();
      right.stage.flood('+212661239', 60, SECOND);
      await takeRounds([ahead, right], Math.ceil(MINUTE / ROUND));
      right.assertKnows();
      assert.equal(right.stage.request('+212661239900').allow, false);
      await right.keeper[Symbol.asyncDispose]();
      const after = new Node(records, right.stage.now);
      await after.keeper.takeRound();
      after.assertKnows();
      const [newest] = await query(records, 'SELECT max(written_at) AS at FROM guard_memory');
      assert.ok(
        Number(newest?.at) <= right.stage.now,
        'the right one writes over what is dated in the future',
      );
    });

    test('a store that fails is logged, then that it works again, and what could not be told is told later, once', async () => {
      const store = failing(records);
      const [one, other] = [new Node(store.records, START), new Node(records, START)];
      await takeRounds([one, other]);
      for (const fails of ['before', 'after'] as const) {
        store.state.fails = fails;
        one.stage.request(ASKED);
        await takeRounds([one], 2);
        one.stage.request(ASKED);
        await takeRounds([one]);
      }
      store.state.fails = undefined;
      await takeRounds([one]);
      other.stage.now = one.stage.now;
      await takeRounds([other]);
      assert.equal(Math.round(other.unconfirmedOf(ASKED) * 10), 40);
      // The log keeps the repetitions of a failure back.
      assert.deepEqual(one.logged.slice(-2), [
        'what the guard learns is not kept for now',
        'what the guard learns is kept again',
      ]);
    });

    test('nothing is written over what could not be read', async () => {
      const one = new Node(records, START, false);
      await one.keeper.takeRound();
      one.learn();
      await one.keeper[Symbol.asyncDispose]();
      const store = failing(records);
      store.state.fails = 'before';
      const after = new Node(store.records, one.stage.now, false);
      await after.keeper.takeRound();
      after.stage.request(after.stage.somebody());
      store.state.fails = undefined;
      await after.keeper.takeRound();
      after.assertKnows();
    });

    test('nor by a stop before it was read', async () => {
      const one = new Node(records, START, false);
      await one.keeper.takeRound();
      one.learn();
      await one.keeper[Symbol.asyncDispose]();
      const store = failing(records);
      store.state.fails = 'before';
      const early = new Node(store.records, one.stage.now, false);
      await early.keeper.takeRound();
      early.stage.request(KNOWN);
      early.stage.request(`${FLOODED}901`);
      store.state.fails = undefined;
      await early.keeper[Symbol.asyncDispose]();
      const after = new Node(records, early.stage.now, false);
      await after.keeper.takeRound();
      after.assertKnows();
    });

    test('what is damaged is ignored, with one line', async () => {
      const bucket = 'INSERT INTO guard_memory (bucket, written_at, learnt) VALUES ($1, $2, $3)';
      for (const at of [3, 64]) await query(records, bucket, at, START, 'AgAA');
      const [one, other] = [new Node(records, START), new Node(records, START)];
      await takeRounds([one, other]);
      const news = 'INSERT INTO guard_news (sequence, node, at, learnt) VALUES ($1, $2, $3, $4)';
      await query(records, news, 1, 'of another version', START, '[]');
      await query(records, "UPDATE guard_counter SET value = 1 WHERE name = 'news'");
      one.learn();
      other.stage.now = one.stage.now + MINUTE;
      await takeRounds([one, other]);
      other.assertKnows();
      const line = 'some of what the guard learnt is damaged or of another version and ignored';
      assert.deepEqual([one.logged, other.logged], [[line], [line]]);
    });
  });
}
