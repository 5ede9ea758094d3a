/** What something else refuses after the guard (a limit, a budget, a list, a store that is away) was never asked for. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Ask, SentRequest } from './ask.ts';
import { HOUR, MINUTE, rowsOf, SECOND, Stage } from './fixture.ts';

/** It passes the guard, and waits for what else may refuse it. */
function send(stage: Stage, ask: Ask): SentRequest {
  const judgement = stage.guard.judge(ask);
  assert.ok(judgement.allow, judgement.allow ? '' : judgement.rule);
  return stage.guard.sent(ask, judgement);
}

/** All that is known, at this moment. */
function known(stage: Stage) {
  stage.guard.advance(stage.now);
  const { places, numbers, baseline } = rowsOf(stage.guard.snapshot());
  const rounded = (count: number) => Math.round(count * 100) / 100;
  return {
    // Counts of 0 are as good as none.
    places: places
      .filter(({ trials, heat }) => heat !== undefined || trials.some((count) => rounded(count) > 0))
      .map(({ hash, trials, confirmed, heat, spacing }) => ({
        ...{ hash, heat, spacing },
        trials: trials.map(rounded),
        confirmed: confirmed.map(rounded),
      })),
    numbers: numbers.filter(({ askedAt, confirmedAt }) => askedAt + confirmedAt > 0),
    baseline: baseline.map((one) => ({ ...one, trials: rounded(one.trials) })),
  };
}

suite('what was refused after the guard', () => {
  test('leaves a number to the account whose code it has', () => {
    const stage = new Stage();
    const victim = stage.somebody();
    assert.ok(stage.request(victim).allow);
    stage.wait(45 * MINUTE);
    const other = stage.ask(victim, { account: 'globex' });
    const sent = send(stage, other);
    stage.wait(SECOND);
    stage.guard.takeBack({ ...other, at: stage.now }, sent);
    assert.deepEqual(stage.request(victim).allow, true);
  });

  for (const order of ['first', 'last'] as const) {
    test(`leaves it so when many are refused at once, the ${order} one first`, () => {
      const stage = new Stage();
      const victim = stage.somebody();
      assert.ok(stage.request(victim).allow);
      stage.wait(45 * MINUTE);
      const before = known(stage);
      const other = stage.ask(victim, { account: 'globex' });
      const sent = Array.from({ length: 4 }, () => send(stage, other));
      stage.wait(SECOND);
      for (const one of order === 'first' ? sent : sent.toReversed()) {
        stage.guard.takeBack({ ...other, at: stage.now }, one);
      }
      assert.deepEqual(known(stage).numbers, before.numbers);
    });
  }

  test('leaves it to who was written, if one of several was', () => {
    const stage = new Stage();
    const victim = stage.somebody();
    const ask = stage.ask(victim, { account: 'globex' });
    const [one, other] = [send(stage, ask), send(stage, ask)];
    stage.guard.written(one);
    stage.guard.takeBack(ask, other);
    assert.equal(stage.request(victim).allow, false, 'the other account has its code');
    assert.equal(stage.request(victim, { account: 'globex' }).allow, false, 'and now it is bombed');
  });

  test('changes nothing else either, for a first code and for one that repeats it, at once or after a minute', () => {
    for (const repeats of [false, true]) {
      for (const later of [SECOND, MINUTE]) {
        const stages = [new Stage(), new Stage()] as const;
        for (const stage of stages) {
          stage.everyday(30, MINUTE);
          stage.wait(10 * MINUTE);
          if (repeats) stage.request('+212661234567');
          stage.wait(10 * MINUTE);
          stage.guard.advance(stage.now);
        }
        const [asked, unasked] = stages;
        const ask = asked.ask('+212661234567');
        const sent = send(asked, ask);
        for (const stage of stages) {
          stage.wait(later);
          stage.guard.advance(stage.now);
        }
        asked.guard.takeBack({ ...ask, at: asked.now }, sent);
        for (const stage of stages) stage.wait(HOUR);
        assert.deepEqual(known(asked), known(unasked), `repeats: ${repeats}, after ${later} ms`);
      }
    }
  });

  test('leaves its turn to the next who tries a closed place', () => {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    stage.flood('+212661234', 600, SECOND);
    stage.wait(HOUR);
    for (let index = 0; index < 5; index++) {
      const ask = stage.ask(`+21266123400${index}`);
      stage.guard.takeBack(ask, send(stage, ask));
      stage.wait(SECOND);
    }
    assert.equal(stage.request('+212661234777').allow, true);
    assert.equal(stage.request('+212661234778').allow, false, 'and then it is taken');
  });
});

test('whom the guard refuses and something else answers, has not asked', () => {
  const stage = new Stage();
  const victim = stage.somebody();
  assert.ok(stage.request(victim).allow);
  const other = stage.ask(victim, { account: 'globex' });
  const judgement = stage.guard.judge(other);
  assert.ok(!judgement.allow && judgement.rule === 'bombing');
  assert.equal(stage.request(victim).allow, true, 'it is still the first account’s');
  stage.guard.refused(other, judgement);
  assert.equal(stage.request(victim).allow, false);
});

test('news of a code that was taken back leave a number to its account at other nodes', () => {
  const [one, other] = [new Stage({ shares: true }), new Stage({ shares: true })];
  const victim = one.somebody();
  const tell = () => other.guard.absorb(one.guard.takeChanges(), other.now);
  assert.ok(one.request(victim).allow);
  for (const stage of [one, other]) stage.wait(45 * MINUTE);
  const ask = one.ask(victim, { account: 'globex' });
  const sent = send(one, ask);
  tell();
  one.guard.takeBack(ask, sent);
  tell();
  assert.equal(other.request(victim).allow, true);
});
