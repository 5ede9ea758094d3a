import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import type { RoundFacts, RoundResult } from './round.ts';
import { withinCap } from './within-cap.ts';

const FACTS: RoundFacts = { wanted: true, rounds: 0, spentCarriers: [] };
const PORTS = { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM };
const sent = (...charged: string[]): RoundResult => ({ attempts: [], charged, next: { kind: 'failed' } });

const over = () => sent();

function capOf(take: () => Promise<number | undefined>) {
  const returned: number[] = [];
  return { cap: { take, giveBack: (place: number) => returned.push(place) }, returned };
}

suite('the cap of a route that messages go on by', () => {
  test('a place is used by what was sent, or may have been, and given back if nothing was', async () => {
    const { cap, returned } = capOf(async () => 7);
    await withinCap(cap, FACTS, PORTS, () => sent('a voice'), over);
    assert.deepEqual(returned, []);
    await withinCap(cap, FACTS, PORTS, () => sent(), over);
    assert.deepEqual(returned, [7]);
  });

  test('without a place nothing is sent, and without a cap everything', async () => {
    const done: string[] = [];
    const note = (what: string) => () => {
      done.push(what);
      return sent();
    };
    const { cap, returned } = capOf(async () => undefined);
    await withinCap(cap, FACTS, PORTS, note('sent'), note('over'));
    await withinCap(undefined, FACTS, PORTS, note('sent'), note('over'));
    assert.deepEqual([done, returned], [['over', 'sent'], []]);
  });

  test('while nobody can tell, it waits', async () => {
    const { cap } = capOf(() => Promise.reject(new StoreUnavailable('down')));
    const { next } = await withinCap(cap, FACTS, PORTS, () => sent('a voice'), over);
    assert.equal(next.kind === 'retry' && next.leg, undefined);
    const broken = capOf(() => Promise.reject(new Error('a bug')));
    await assert.rejects(async () => withinCap(broken.cap, FACTS, PORTS, () => sent(), over), /a bug/);
  });
});
