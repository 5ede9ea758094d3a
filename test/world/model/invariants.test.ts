import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hold } from './invariants.ts';
import type { State, Verification } from './state.ts';
import { LIVE, Story, US } from './story.ts';
import { DAY, MINUTE } from './table.ts';

/** What the record says after a rule let in what it must not: each is damaged by hand. */
function damaged(damage: (s: State) => unknown): () => unknown {
  const story = new Story({}, { budgets: [{ of: 'account', per: 'day', messages: 2 }] });
  story.code('111111');
  assert.equal(story.model.end(), undefined);
  const [s] = story.model.states;
  if (s === undefined) throw new Error('no state');
  const now = { at: story.at, until: story.at };
  hold(s, now);
  damage(s);
  return () => hold(s, now);
}

test('the record holds whichever rule let it in', () => {
  const change = (of: (v: Verification) => object) =>
    damaged((s) => {
      for (const v of s.verifications) Object.assign(v, of(v));
    });
  const wrong = change(() => ({ wrong: 4 }));
  const early = change((v) => ({ asked: { at: v.asked.at + 9, until: v.asked.until } }));
  const place = `a live ${US}`;
  const sends = damaged((s) => s.sends.set(place, Array(4).fill(s.sends.get(place)?.[0])));
  const budget = damaged((s) => s.verifications.push(...Array(2).fill(s.verifications[0])));
  assert.throws(wrong, /wrong codes/);
  assert.throws(early, /before it was asked/);
  assert.throws(sends, /4 codes in/);
  assert.throws(budget, /account per day is exceeded/);
});

test('who expired without one try while others were sent is still owed', () => {
  const story = new Story();
  story.verify();
  story.wait(2 * MINUTE);
  story.code('222222', { to: '+4915112345678' });
  story.wait(DAY / 2);
  assert.equal(story.model.end(), undefined);
  assert.deepEqual(
    story.model.owed(story.at).map((it) => it.id),
    ['ver_1'],
  );
});

test('what waits while a budget comes may have no room in it', () => {
  const waits = (...budgets: readonly { of: 'account'; per: 'day'; money: number }[]) => {
    const story = new Story();
    story.verify();
    story.wait(MINUTE);
    story.does({ do: 'reload', live: { ...LIVE, budgets } });
    return story.model.owed(story.at).length;
  };
  assert.equal(waits(), 1);
  assert.equal(waits({ of: 'account', per: 'day', money: 0.1 }), 0);
});
