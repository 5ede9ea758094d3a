import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR, MINUTE, SECOND, Stage } from './fixture.ts';
import type { Share } from './sharing.ts';

/** As it comes back from a store. */
function sent(share: Share): Share {
  return JSON.parse(JSON.stringify(share));
}

/** A flood of which each of two nodes sees every other request; they tell each other every two seconds if they share. */
function floodTwoNodes(share: boolean): number {
  const nodes = [new Stage({ shares: true }), new Stage({ shares: true })] as const;
  let allowed = 0;
  for (let index = 0; index < 600; index++) {
    const node = nodes[index % 2 === 0 ? 0 : 1];
    if (node.request(`+212661234${`${index}`.padStart(3, '0')}`).allow) allowed += 1;
    for (const each of nodes) each.wait(20 * SECOND);
    if (!share || index % 2 === 0) continue;
    const [first, second] = [sent(nodes[0].guard.takeChanges()), sent(nodes[1].guard.takeChanges())];
    nodes[0].guard.absorb(second);
    nodes[1].guard.absorb(first);
  }
  return allowed;
}

suite('many nodes', () => {
  test('what one learns the other knows', () => {
    const [together, apart] = [floodTwoNodes(true), floodTwoNodes(false)];
    assert.ok(together < 0.75 * apart, `${together} of ${apart}`);
  });

  test('a place that one node closed is closed at the other, and opened with it', () => {
    const [one, other] = [new Stage({ shares: true }), new Stage({ shares: true })];
    one.everyday(50, MINUTE);
    one.flood('+212661234', 100, SECOND);
    other.now = one.now;
    other.guard.absorb(sent(one.guard.takeChanges()));
    assert.equal(other.request('+212661234900').allow, false);
    for (let index = 0; index < 30; index++) {
      one.wait(MINUTE);
      one.person(`+212661234${800 + index}`);
    }
    other.now = one.now;
    other.guard.absorb(sent(one.guard.takeChanges()));
    assert.equal(other.request('+212661234901').allow, true);
  });

  test('a code confirmed at another node counts there and is no failure here', () => {
    const [one, other] = [new Stage({ shares: true }), new Stage({ shares: true })];
    for (let index = 0; index < 60; index++) {
      const destination = `+212661234${`${index}`.padStart(3, '0')}`;
      assert.ok(one.request(destination).allow, `${index}`);
      for (const stage of [one, other]) stage.wait(15 * SECOND);
      other.guard.absorb(sent(one.guard.takeChanges()));
      if (index % 4 !== 3) other.guard.confirmed(other.ask(destination));
      one.guard.absorb(sent(other.guard.takeChanges()));
    }
  });
});

test('a restart forgets nothing that was kept', () => {
  const before = new Stage();
  before.everyday(200, MINUTE);
  before.flood('+212661234', 100, SECOND);
  const after = new Stage({ origin: before.now });
  after.now = before.now;
  after.guard.absorb(sent(before.guard.snapshot()));
  const [old, restarted] = [before, after].map((stage) => stage.guard.explain(stage.ask('+212661234900')));
  const read = (explanation: typeof old) =>
    explanation?.places.map(({ kind, state, confirmed, usual }) => [
      kind,
      state,
      confirmed.map((each) => Math.round(each * 100)),
      usual.toFixed(2),
    ]);
  assert.deepEqual(read(restarted), read(old));
  assert.equal(after.request('+212661234901').allow, false);
});

test('what is shared holds no number, no range and no name', () => {
  const stage = new Stage({ shares: true });
  stage.flood('+212661234', 50, SECOND, { network: '203.0.113.77' });
  stage.wait(HOUR);
  const text = JSON.stringify([stage.guard.takeChanges(), stage.guard.snapshot()]);
  assert.doesNotMatch(text, /212661|acme|web|203\.0|hash of/);
});

test('what was taken is not told again', () => {
  const stage = new Stage({ shares: true });
  stage.flood('+212661234', 20, MINUTE);
  assert.ok(stage.guard.takeChanges().places.length > 0);
  assert.deepEqual(stage.guard.takeChanges(), { places: [], usual: [] });
});
