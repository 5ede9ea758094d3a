import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { HOUR, MINUTE, SECOND, Stage } from './fixture.ts';

const TOGO = { country: 'TG' };

suite('people', () => {
  test('everyday traffic passes', () => {
    assert.equal(new Stage().everyday(500, MINUTE), 500);
  });

  test('a company whose people have adjacent numbers passes', () => {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    for (let index = 0; index < 200; index++) {
      assert.ok(stage.person(`+212661234${`${index}`.padStart(3, '0')}`), `${index}`);
    }
  });

  test('an outage refuses hardly anybody: the usual people ask, and ask again', () => {
    const stage = new Stage();
    stage.everyday(600, MINUTE);
    let refused = 0;
    for (let index = 0; index < 60; index++) {
      const destination = stage.somebody();
      if (!stage.request(destination).allow) refused += 1;
      stage.wait(MINUTE);
      stage.request(destination);
      stage.wait(MINUTE);
    }
    assert.ok(refused <= 1, `${refused}`);
  });

  test('many behind one address pass while they confirm', () => {
    const stage = new Stage();
    assert.equal(stage.everyday(300, 5 * SECOND, { network: '192.0.2.7' }), 300);
  });
});

suite('attacks', () => {
  test('a flood of one range is stopped after a few messages', () => {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    assert.ok(stage.flood('+212661234', 1_000, SECOND) < 40);
  });

  test('slow pumping is stopped too: narrow ranges are remembered for days', () => {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    assert.ok(stage.flood('+212661234', 200, 45 * MINUTE) < 40);
  });

  test('receipts of a flood are not asked for, and confirmations of a few do not open it', () => {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    let sent = 0;
    for (let index = 0; index < 1_000; index++) {
      const destination = `+212661234${`${index}`.padStart(3, '0')}`;
      const { allow } = stage.request(destination);
      stage.wait(2 * SECOND);
      if (!allow) continue;
      sent += 1;
      if (sent % 5 === 0) stage.guard.confirmed(stage.ask(destination));
    }
    assert.ok(sent < 100, `${sent}`);
  });

  test('bots that confirm in a country that is new stand out by their few blocks', () => {
    // Two of five confirm, as it may truly be where nothing is known yet: only that all have numbers in one block tells them.
    const launch = (numberOf: (index: number) => string) => {
      const stage = new Stage();
      stage.everyday(200, MINUTE);
      let sent = 0;
      for (let index = 0; index < 1_200; index++) {
        const destination = numberOf(index);
        const act = index % 5 < 2 ? stage.person(destination, TOGO) : stage.request(destination, TOGO).allow;
        if (act) sent += 1;
        stage.wait(3 * SECOND);
      }
      return sent;
    };
    // Which block closes first is chance, and decides how much the others get: so in several orders.
    const orders = [7_919, 104_729, 1_299_709, 15_485_863];
    const inOrder = (step: number) => {
      const scattered = (index: number, among: number) => `${(index * step) % among}`;
      const people = launch((index) => `+2289${scattered(index, 10_000_000).padStart(7, '0')}`);
      assert.ok(people > 1_170, `${people} were sent to people`);
      return launch((index) => `+228901${scattered(index, 100_000).padStart(5, '0')}`);
    };
    const bots = orders.map(inOrder);
    assert.ok(bots.reduce((sum, sent) => sum + sent) < 300 * orders.length, `${bots} were sent to bots`);
  });

  test('an account without history may try some countries, not forty', () => {
    const stage = new Stage();
    let sent = 0;
    for (let index = 0; index < 4_000; index++) {
      const country = `C${index % 40}`;
      const destination = `+9${10 + (index % 40)}${`${index * 7_919}`.padStart(8, '0')}`;
      if (stage.request(destination, { country }).allow) sent += 1;
      stage.wait(SECOND);
    }
    assert.ok(sent < 200, `${sent}`);
  });

  test('a number under codes from several accounts gets one', () => {
    const stage = new Stage();
    stage.everyday(20, MINUTE);
    const victim = stage.somebody();
    const answers = Array.from({ length: 30 }, (_, index) => {
      stage.wait(20 * SECOND);
      return stage.request(victim, { account: `account-${index % 3}` });
    });
    assert.equal(answers.filter(({ allow }) => allow).length, 1);
    assert.deepEqual(
      new Set(answers.slice(1).map((answer) => !answer.allow && answer.rule)),
      new Set(['bombing']),
    );
  });

  test('an address that guesses is refused, known numbers or not', () => {
    const stage = new Stage();
    const known = Array.from({ length: 30 }, () => stage.somebody());
    for (const destination of known) stage.person(destination);
    stage.wait(HOUR);
    const answers = known.map((destination) => {
      const network = '2001:db8:1:2::/64';
      const answer = stage.request(destination, { network });
      for (let guess = 0; guess < 3 && answer.allow; guess++)
        stage.guard.mismatched(stage.ask(destination, { network }));
      stage.wait(20 * SECOND);
      return answer;
    });
    assert.ok(answers.slice(10).filter(({ allow }) => allow).length <= 2);
  });
});

suite('the way back', () => {
  test('people get through within minutes of the first confirmations', () => {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    stage.flood('+212661234', 600, SECOND);
    const refusedFor: number[] = [];
    const over = stage.now;
    for (let index = 0; index < 40; index++) {
      if (!stage.person(`+212661234${999 - index}`)) refusedFor.push((stage.now - over) / MINUTE);
      stage.wait(20 * SECOND);
    }
    assert.ok((refusedFor.at(-1) ?? 0) < 10, `${refusedFor}`);
  });

  test('while the flood goes on, single messages try it, ever fewer', () => {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    stage.flood('+212661234', 200, SECOND);
    const first = stage.flood('+212661234', 1_000, SECOND);
    const second = stage.flood('+212661234', 1_000, SECOND);
    assert.ok(first >= 1 && first < 60, `${first}`);
    assert.ok(second <= first, `${second}`);
  });
});

suite('the operator', () => {
  const flooded = '+212661234999';

  test('allow beats the guard, deny beats everything, and both end', () => {
    const stage = new Stage();
    stage.everyday(50, MINUTE);
    stage.flood('+212661234', 300, SECOND);
    assert.equal(stage.request(flooded).allow, false);
    const until = stage.now + HOUR;
    stage.guard.setRules([
      { action: 'allow', of: 'range', value: '+212661234', until, reason: 'a customer' },
    ]);
    assert.equal(stage.request(flooded).allow, true);
    stage.guard.setRules([{ action: 'deny', of: 'account', value: 'acme', until, reason: 'unpaid' }]);
    const denied = stage.request(stage.somebody());
    assert.deepEqual(!denied.allow && [denied.rule, denied.detail], ['operator-deny', 'unpaid']);
    stage.wait(HOUR);
    assert.equal(stage.request(stage.somebody()).allow, true);
  });
});

test('the same events get the same answers, and the first of them do not depend on the others', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { minLength: 50, maxLength: 200 }), fc.nat(200), (draws, cut) => {
      const run = (events: readonly number[]) => {
        const stage = new Stage();
        return events.map((draw) => {
          stage.wait(draw * 100);
          const destination = `+2126612${`${34_000 + (draw % 40)}`.padStart(5, '0')}`;
          const judgement = stage.request(destination, { account: `a${draw % 3}` });
          if (judgement.allow && draw % 3 === 0) stage.guard.confirmed(stage.ask(destination));
          return judgement;
        });
      };
      assert.deepEqual(run(draws).slice(0, cut), run(draws.slice(0, cut)));
    }),
    { numRuns: 20 },
  );
});

test('no detail holds the last three digits of a number, or an address', () => {
  const stage = new Stage();
  const network = '203.0.113.77';
  for (let index = 0; index < 500; index++) {
    const destination = `+21266123${`${4_000 + index}`}`;
    const judgement = stage.request(destination, { network });
    if (!judgement.allow)
      assert.doesNotMatch(judgement.detail, new RegExp(`${destination.slice(1)}|113\\.77`));
    const { places } = stage.guard.explain(stage.ask(destination, { network }));
    assert.ok(places.every(({ label, words }) => !`${label} ${words}`.includes(destination.slice(0, -2))));
    stage.wait(SECOND);
  }
});

test('an explanation shows each place with its evidence and changes nothing', () => {
  const stage = new Stage();
  stage.everyday(50, MINUTE);
  stage.flood('+212661234', 100, SECOND);
  const ask = stage.ask('+212661234998');
  const explanation = stage.guard.explain(ask);
  assert.deepEqual(stage.guard.explain(ask), explanation);
  const states = new Map(explanation.places.map(({ kind, state }) => [kind, state]));
  assert.equal(states.get('range3'), 'closed');
  assert.equal(states.get('network'), 'new');
  assert.match(explanation.places[0]?.words ?? '', /^closed; a message tries it about every \d+ s/);
  assert.match(explanation.places[0]?.label ?? '', /^range of 1,000 \+212661234$/);
});

test('what was not sent after all counts for nobody, and of many at once each sees those before it', () => {
  const stage = new Stage();
  const refused = () => {
    const asks = Array.from({ length: 40 }, (_, index) =>
      stage.ask(`+2126612340${String(index).padStart(2, '0')}`),
    );
    return asks.map((ask) => {
      const judgement = stage.guard.judge(ask);
      return judgement.allow ? { ask, sent: stage.guard.sent(ask, judgement) } : undefined;
    });
  };
  const first = refused();
  assert.ok(first.filter((one) => one !== undefined).length < 20, 'room is for some of them');
  for (const one of first) if (one !== undefined) stage.guard.takeBack(one.ask, one.sent);
  const { places } = stage.guard.explain(stage.ask('+212661234000'));
  assert.ok(places.every(({ sent }) => sent.every((count) => count === 0)));
  stage.wait(HOUR);
  assert.equal(
    refused().filter((one) => one !== undefined).length,
    first.filter((one) => one !== undefined).length,
  );
});

test('a repeat that was not sent does not make a number silent', () => {
  const stage = new Stage();
  const ask = stage.ask(stage.somebody());
  for (let repeat = 0; repeat < 50; repeat++) {
    const judgement = stage.guard.judge(ask);
    assert.ok(judgement.allow, `repeat ${repeat}`);
    stage.guard.takeBack(ask, stage.guard.sent(ask, judgement));
  }
});

test('while wider places are closed, people pass beside one who confirmed, but not beside one and many who did not', () => {
  for (const silent of [0, 2]) {
    const stage = new Stage();
    stage.everyday(100, MINUTE);
    assert.ok(stage.person('+212611234000'));
    for (let index = 1; index <= silent; index++) assert.ok(stage.request(`+21261123400${index}`).allow);
    stage.wait(2 * HOUR);
    for (let index = 0; index < 1_000; index++) {
      stage.request(stage.somebody());
      stage.wait(SECOND);
    }
    assert.equal(stage.request(stage.somebody()).allow, false);
    assert.equal(stage.request('+212611234500').allow, silent === 0, `${silent} beside it did not confirm`);
  }
});

test('who confirms a number again, at once or hours later, vouches for nothing more', () => {
  const [once, again] = [new Stage(), new Stage()];
  const destination = '+212611234000';
  for (const stage of [once, again]) assert.ok(stage.person(destination));
  const confirmed = (stage: Stage) =>
    stage.guard.explain(stage.ask(destination)).places.map((it) => it.confirmed.map((n) => n.toFixed(3)));
  for (const pause of [0, 1, 1, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 2 * HOUR, 6 * HOUR]) {
    for (const stage of [once, again]) stage.wait(pause);
    again.guard.confirmed(again.ask(destination));
    assert.deepEqual(confirmed(again), confirmed(once), `after ${pause} ms`);
  }
});

test('closed places are counted by kind, until they open', () => {
  const stage = new Stage();
  const closed = () => Object.fromEntries(stage.guard.closed(stage.now).filter(([, count]) => count > 0));
  assert.deepEqual(closed(), {});
  stage.flood('+21266123', 60, SECOND);
  stage.wait(4 * MINUTE);
  assert.equal(stage.request('+212661230099').allow, false);
  const now = closed();
  assert.ok(
    Object.keys(now).length > 0 && Object.values(now).every((count) => count === 1),
    JSON.stringify(now),
  );
  const other = new Stage();
  other.guard.absorb(stage.guard.snapshot(), stage.now);
  assert.deepEqual(Object.fromEntries(other.guard.closed(stage.now).filter(([, count]) => count > 0)), now);
  stage.wait(30 * 24 * HOUR);
  assert.deepEqual(closed(), {});
});
