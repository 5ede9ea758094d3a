/** Who confirms every code is never refused for it, however many there are. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR, MINUTE, SECOND, Stage } from './fixture.ts';

const DAY = 24 * HOUR;

/** Where one code was sent and confirmed: a narrow place and a wide one, each by memory. */
function counts(stage: Stage, destination: string) {
  stage.guard.advance(stage.now);
  const { places } = stage.guard.explain(stage.ask(destination));
  return places
    .filter(({ kind }) => kind === 'range3' || kind === 'country')
    .map(({ kind, sent, confirmed }) => [kind, sent.map(round), confirmed.map(round)]);
}

const round = (count: number) => Number(count.toFixed(2));

suite('who confirms every code', () => {
  test('is not refused: 40 people of one block, two codes a day, 2.5 hours apart', () => {
    const stage = new Stage();
    stage.everyday(200, MINUTE);
    let refused = 0;
    for (let day = 0; day < 5; day++) {
      const morning = stage.now;
      for (let turn = 0; turn < 2; turn++) {
        stage.now = morning + turn * 2.5 * HOUR;
        for (let person = 0; person < 40; person++) {
          if (!stage.person(`+2126612345${String(person).padStart(2, '0')}`)) refused += 1;
        }
      }
      stage.now = morning + DAY;
    }
    assert.equal(refused, 0);
  });

  test('is not refused: a machine that asks for one number twenty times a day, nor are those beside it', () => {
    const stage = new Stage();
    stage.everyday(200, MINUTE);
    let refused = 0;
    for (let code = 0; code < 200; code++) {
      if (!stage.person('+212661234567')) refused += 1;
      stage.wait(DAY / 20 - 10 * SECOND);
    }
    for (let person = 0; person < 10; person++) if (!stage.person(`+21266123457${person}`)) refused += 1;
    assert.equal(refused, 0);
  });

  test('is not refused: a whole block that signs in within seconds, and again an hour later', () => {
    const stage = new Stage();
    stage.everyday(200, MINUTE);
    const people = Array.from({ length: 60 }, (_, person) => `+2126612345${String(person).padStart(2, '0')}`);
    for (const destination of people) stage.person(destination);
    stage.wait(HOUR);
    assert.ok(people.every((destination) => stage.request(destination).allow));
  });

  test('is not refused: 40 people who overlap, after hours in which nobody asked', () => {
    const stage = new Stage();
    const people = Array.from({ length: 40 }, (_, person) => `+2126612345${String(person).padStart(2, '0')}`);
    const signIn = () => {
      let refused = 0;
      for (const [index, destination] of [...people, '', ''].entries()) {
        if (destination !== '' && !stage.request(destination).allow) refused += 1;
        const before = people[index - 2];
        if (before !== undefined) stage.guard.confirmed(stage.ask(before));
        stage.wait(5 * SECOND);
      }
      return refused;
    };
    assert.equal(signIn(), 0);
    stage.wait(2.5 * HOUR);
    assert.equal(signIn(), 0);
  });

  test('leaves the same behind whether anybody looked in the meantime or not', () => {
    const [seen, unseen] = [new Stage(), new Stage()];
    for (const stage of [seen, unseen]) for (let i = 0; i < 8; i++) stage.person(`+21266123456${i}`);
    for (let second = 0; second < 300; second++) {
      for (const stage of [seen, unseen]) stage.wait(SECOND);
      seen.guard.advance(seen.now);
    }
    unseen.guard.advance(unseen.now);
    assert.deepEqual(counts(seen, '+212661234560'), counts(unseen, '+212661234560'));
  });

  for (const minutes of [0.2, 0.5, 2, 6]) {
    test(`leaves nothing behind with a code soon after another, confirmed after ${minutes} minutes`, () => {
      const [again, once] = [new Stage(), new Stage()];
      const destination = '+212661234567';
      for (const stage of [again, once]) {
        stage.person(destination);
        stage.wait(HOUR);
        stage.guard.advance(stage.now);
      }
      assert.ok(again.request(destination).allow);
      for (let step = 0; step < 60; step++) {
        for (const stage of [again, once]) {
          stage.wait((minutes * MINUTE) / 60);
          stage.guard.advance(stage.now);
        }
      }
      again.guard.confirmed(again.ask(destination));
      for (const stage of [again, once]) stage.wait(HOUR);
      assert.deepEqual(counts(again, destination), counts(once, destination));
    });
  }

  test('may have several open at once', () => {
    const [several, one] = [new Stage(), new Stage()];
    const destination = '+212661234567';
    for (let code = 0; code < 3; code++) assert.ok(several.request(destination).allow);
    one.request(destination);
    for (const stage of [several, one]) stage.wait(10 * SECOND);
    for (let code = 0; code < 3; code++) several.guard.confirmed(several.ask(destination));
    one.guard.confirmed(one.ask(destination));
    for (const stage of [several, one]) stage.wait(HOUR);
    assert.deepEqual(counts(several, destination), counts(one, destination));
  });
});

test('a code soon after a confirmation that nobody confirms counts as a repeat', () => {
  const stage = new Stage();
  const destination = '+212661234567';
  stage.person(destination);
  stage.wait(HOUR);
  const before = counts(stage, destination);
  stage.request(destination);
  assert.deepEqual(counts(stage, destination), before, 'in flight it is no failure');
  stage.wait(4 * MINUTE);
  const [narrow] = counts(stage, destination);
  // By days, in which minutes fade nothing.
  assert.equal(round(Number(narrow?.[1]?.[2]) - Number(before[0]?.[1]?.[2])), 0.5);
});

test('a code soon after a confirmation is settled at all nodes, wherever it is confirmed', () => {
  const nodes = [new Stage({ shares: true }), new Stage({ shares: true })] as const;
  const [one, other] = nodes;
  const tell = () => {
    const told = nodes.map(({ guard }) => guard.takeChanges());
    for (const [index, node] of nodes.entries())
      node.guard.absorb(told[1 - index] ?? assert.fail(), node.now);
  };
  const destination = '+212661234567';
  const pass = (ms: number) => {
    for (const node of nodes) {
      node.wait(ms);
      node.guard.advance(node.now);
    }
    tell();
  };
  one.request(destination);
  pass(10 * SECOND);
  one.guard.confirmed(one.ask(destination));
  pass(HOUR);
  for (const delay of [10 * SECOND, 30 * SECOND, 6 * MINUTE]) {
    const before = nodes.map((node) => counts(node, destination).map(([, sent]) => sent));
    assert.ok(one.request(destination).allow);
    pass(delay);
    other.guard.confirmed(other.ask(destination));
    pass(SECOND);
    pass(5 * MINUTE);
    const after = nodes.map((node) => counts(node, destination).map(([, sent]) => sent));
    for (const [index, node] of after.entries()) {
      for (const [place, sent] of node.entries()) {
        const faded = Number((before[index]?.[place] as readonly number[] | undefined)?.[2]);
        assert.ok(
          Math.abs(Number((sent as readonly number[])[2]) - faded) < 0.02,
          `${delay}: ${JSON.stringify([before, after])}`,
        );
      }
    }
    pass(30 * MINUTE);
  }
});
