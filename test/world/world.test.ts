/** Some histories of the simulated world, always the same. `npm run world` plays more; `histories/` has those that are kept. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { findDifference } from './both-stores.ts';
import { type Played, playSeed, replay } from './check.ts';
import { formatHistory, parseHistory } from './history.ts';
import { endDatabases } from './machine/postgres/databases.ts';

const SEEDS = 80;
const LENGTH = 40;
const SHARED = { store: 'postgres', nodes: 3 } as const;
const SHARED_SEEDS = 6;
const SHARED_LENGTH = 25;

const told = ({ wrong, history }: Played) => `${wrong}\n${formatHistory(history)}`;

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
    const { history } = await playSeed(219, SHARED_LENGTH);
    assert.equal(await findDifference(history), undefined);
  });
});
