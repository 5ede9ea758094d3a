/** Some histories of the simulated world, always the same, and those that once went wrong. `npm run world` plays more. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Played, playSeed, replay } from './check.ts';
import { formatHistory, parseHistory } from './history.ts';

const SEEDS = 80;
const LENGTH = 40;

const told = ({ wrong, history }: Played) => `${wrong}\n${formatHistory(history)}`;

suite('the world', () => {
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
});
