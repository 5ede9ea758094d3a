import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR, MINUTE, NOTHING_SHARED, rowsOf, SECOND, Stage, shareOf } from './fixture.ts';
import { decodeShare, encodeShare } from './live/encoding.ts';
import type { Share } from './sharing.ts';

const NOTHING = shareOf(NOTHING_SHARED);

/** As it comes back from a store. */
function sent(share: Share): Share {
  return decodeShare(encodeShare(share)) ?? NOTHING;
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
    nodes[0].guard.absorb(second, nodes[0].now);
    nodes[1].guard.absorb(first, nodes[1].now);
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
    other.guard.absorb(sent(one.guard.takeChanges()), other.now);
    assert.equal(other.request('+212661234900').allow, false);
    for (let index = 0; index < 30; index++) {
      one.wait(MINUTE);
      one.person(`+212661234${800 + index}`);
    }
    other.now = one.now;
    other.guard.absorb(sent(one.guard.takeChanges()), other.now);
    assert.equal(other.request('+212661234901').allow, true);
  });

  test('a code confirmed at another node counts there and is no failure here', () => {
    const [one, other] = [new Stage({ shares: true }), new Stage({ shares: true })];
    for (let index = 0; index < 60; index++) {
      const destination = `+212661234${`${index}`.padStart(3, '0')}`;
      assert.ok(one.request(destination).allow, `${index}`);
      for (const stage of [one, other]) stage.wait(15 * SECOND);
      other.guard.absorb(sent(one.guard.takeChanges()), other.now);
      if (index % 4 !== 3) other.guard.confirmed(other.ask(destination));
      one.guard.absorb(sent(other.guard.takeChanges()), one.now);
    }
  });
});

/** Two nodes that tell each other when asked to. */
function pair() {
  const nodes = [new Stage({ shares: true }), new Stage({ shares: true })] as const;
  const tell = () => {
    const told = nodes.map(({ guard }) => sent(guard.takeChanges()));
    nodes[0].guard.absorb(told[1] ?? NOTHING, nodes[0].now);
    nodes[1].guard.absorb(told[0] ?? NOTHING, nodes[1].now);
  };
  const wait = (ms: number) => {
    for (const node of nodes) node.wait(ms);
  };
  return { one: nodes[0], other: nodes[1], tell, wait };
}

const NUMBER_ASKED = '+212661234567';

suite('numbers of many nodes', () => {
  const ruleOf = (stage: Stage, account: string) => {
    const judgement = stage.request(NUMBER_ASKED, { account });
    return judgement.allow ? 'allowed' : judgement.rule;
  };

  test('a code of another account is bombing at every node, and then the first account is refused at the first, too', () => {
    const { one, other, tell, wait } = pair();
    assert.equal(ruleOf(one, 'acme'), 'allowed');
    tell();
    wait(2 * SECOND);
    assert.equal(ruleOf(other, 'globex'), 'bombing');
    tell();
    assert.equal(ruleOf(one, 'acme'), 'bombing');
    wait(HOUR);
    assert.equal(ruleOf(one, 'globex'), 'allowed');
    tell();
    assert.equal(
      ruleOf(other, 'globex'),
      'allowed',
      'long after the first account, the number is that of the second',
    );
  });

  test('codes of all nodes make a number silent, repeats are those of one wish, and what was taken back counts nowhere', () => {
    const { one, other, tell, wait } = pair();
    const { guard } = one;
    const ask = one.ask(NUMBER_ASKED);
    guard.takeBack(ask, guard.sent(ask, guard.judge(ask)));
    tell();
    assert.equal(other.guard.explain(other.ask(NUMBER_ASKED)).number.unconfirmed, 0);
    for (let index = 0; index < 6; index++) {
      const node = index % 2 === 0 ? one : other;
      const request = node.ask(NUMBER_ASKED);
      const { ticket, weight } = node.guard.sent(request, node.guard.judge(request));
      assert.equal(ticket === undefined, index > 0);
      if (index > 0) assert.equal(weight.toFixed(2), (0.5 ** index).toFixed(2));
      tell();
      wait(MINUTE / 60);
    }
    for (const node of [one, other]) assert.equal(ruleOf(node, 'acme'), 'silent-number');
  });

  test('a confirmation ends the wish at every node, counts once, and the number is known', () => {
    const { one, other, tell, wait } = pair();
    assert.ok(one.request(NUMBER_ASKED).allow);
    tell();
    wait(10 * SECOND);
    other.guard.confirmed(other.ask(NUMBER_ASKED));
    tell();
    wait(10 * MINUTE);
    for (const node of [one, other]) node.guard.advance(node.now);
    tell();
    for (const node of [one, other]) {
      const { number, places } = node.guard.explain(node.ask(NUMBER_ASKED));
      assert.deepEqual(number, { isKnown: true, unconfirmed: 0, isOfAnother: false });
      for (const { kind, sent: trials, confirmed } of places) {
        if (kind === 'network' || kind === 'device' || kind === 'unproven') continue;
        assert.deepEqual(
          [trials[2], confirmed[2]].map((count) => count?.toFixed(1)),
          ['1.0', '1.0'],
          kind,
        );
      }
    }
    const [learnt] = one.guard.snapshot().baseline;
    assert.ok(
      learnt !== undefined && learnt.confirmed === learnt.trials,
      'and teaches what is usual where it was sent',
    );
  });

  test('a probe that another node confirms cools the place', () => {
    const { one, other, tell, wait } = pair();
    one.flood('+212661234', 100, SECOND);
    other.now = one.now;
    tell();
    wait(HOUR);
    for (let index = 0; index < 8; index++) {
      const destination = `+212661234${900 + index}`;
      const { allow } = one.request(destination);
      tell();
      wait(5 * SECOND);
      if (allow) other.guard.confirmed(other.ask(destination));
      tell();
      wait(HOUR);
    }
    assert.equal(one.request('+212661234990').allow, true);
    assert.equal(one.request('+212661234991').allow, true);
  });

  test('shares absorbed in another order say the same', () => {
    const source = new Stage({ shares: true });
    const told: Share[] = [];
    for (const account of ['acme', 'acme', 'globex']) {
      source.request(NUMBER_ASKED, { account });
      told.push(sent(source.guard.takeChanges()));
      source.wait(HOUR);
    }
    source.guard.confirmed(source.ask(NUMBER_ASKED));
    told.push(sent(source.guard.takeChanges()));
    const read = (shares: readonly Share[]) => {
      const stage = new Stage();
      stage.now = source.now;
      for (const share of shares) stage.guard.absorb(share, stage.now);
      return stage.guard.explain(stage.ask(NUMBER_ASKED)).number;
    };
    assert.deepEqual(read(told.toReversed()), read(told));
    assert.equal(read(told).isKnown, true);
  });
});

test('a node whose clock is ahead does not move the time of others', () => {
  const { one, other, tell } = pair();
  one.flood('+212661234', 60, SECOND);
  other.now = one.now + 24 * HOUR;
  other.flood('+212661239', 60, SECOND);
  tell();
  const { places } = one.guard.explain(one.ask('+212661239900'));
  assert.ok((places[0]?.sent[0] ?? 0) > 2, 'what it saw is as of now');
  one.wait(SECOND);
  assert.equal(one.request('+212661234900').allow, false);
  assert.equal(one.request('+212661239900').allow, false);
  const recent = one.guard.explain(one.ask('+212661234900')).places[0];
  assert.ok((recent?.sent[0] ?? 0) > 2, 'what this one saw did not fade');
});

test('a number that a node confirmed whose clock is ahead is known for as long as any other', () => {
  const { one, other, tell } = pair();
  other.now = one.now + 100 * 24 * HOUR;
  assert.ok(other.person(NUMBER_ASKED));
  tell();
  const isKnown = () => one.guard.explain(one.ask(NUMBER_ASKED)).number.isKnown;
  assert.equal(isKnown(), true);
  one.wait(181 * 24 * HOUR);
  assert.equal(isKnown(), false);
});

test('a restart forgets nothing that was kept', () => {
  const before = new Stage();
  before.everyday(200, MINUTE);
  before.flood('+212661234', 100, SECOND);
  const after = new Stage({ origin: before.now });
  after.now = before.now;
  after.guard.absorb(sent(before.guard.snapshot()), after.now);
  const [old, restarted] = [before, after].map((stage) => stage.guard.explain(stage.ask('+212661234900')));
  const read = (explanation: typeof old) =>
    explanation?.places.map(({ kind, state, confirmed, baseline }) => [
      kind,
      state,
      confirmed.map((each) => Math.round(each * 100)),
      baseline.toFixed(2),
    ]);
  assert.deepEqual(read(restarted), read(old));
  assert.equal(after.request('+212661234901').allow, false);
});

test('a number that nobody asked for in half a year is not kept any longer', () => {
  const stage = new Stage();
  stage.person(NUMBER_ASKED);
  const kept = () => {
    stage.guard.advance(stage.now);
    return stage.guard.snapshot().numbers.length;
  };
  stage.wait(179 * 24 * HOUR);
  assert.equal(kept(), 1);
  stage.wait(2 * 24 * HOUR);
  assert.equal(kept(), 0);
});

test('what is shared holds no number, no range and no name', () => {
  const stage = new Stage({ shares: true });
  stage.flood('+212661234', 50, SECOND, { network: '203.0.113.77' });
  stage.wait(HOUR);
  const text = JSON.stringify([rowsOf(stage.guard.takeChanges()), rowsOf(stage.guard.snapshot())]);
  assert.doesNotMatch(text, /212661|acme|web|203\.0|hash of/);
});

test('what was taken is not told again', () => {
  const stage = new Stage({ shares: true });
  stage.flood('+212661234', 20, MINUTE);
  assert.ok(stage.guard.takeChanges().places.length > 0);
  assert.deepEqual(rowsOf(stage.guard.takeChanges()), NOTHING_SHARED);
});

test('what is told grows with what changed, not with what is known', () => {
  const stage = new Stage({ shares: true });
  stage.everyday(200, MINUTE);
  assert.ok(stage.guard.takeChanges().places.length > 300);
  const destination = stage.somebody();
  stage.request(destination);
  stage.wait(5 * MINUTE);
  stage.guard.advance(stage.now);
  stage.guard.takeChanges();
  stage.guard.mismatched(stage.ask(destination));
  const { places, numbers } = rowsOf(stage.guard.takeChanges());
  assert.deepEqual([places.length, numbers.length], [2, 0]);
  // Those of earlier rounds are not told again with it.
  assert.ok(places.every(({ trials: [count] }) => count > 0 && count < 1));
});
