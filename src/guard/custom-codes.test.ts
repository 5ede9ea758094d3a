/** Codes that clients bring, such as those of identity systems: nobody may confirm them here. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR, MINUTE, SECOND, Stage } from './fixture.ts';
import { decodeShare, encodeShare } from './live/encoding.ts';

const DAY = 24 * HOUR;
const MOROCCAN = '+212661234';

const numberOf = (range: string, index: number): string =>
  range + `${index}`.padStart(13 - range.length, '0');

/** How many of these numbers were sent a code that the client brought. */
function pump(stage: Stage, range: string, count: number, gap: number, step = 1): number {
  let sent = 0;
  for (let index = 0; index < count; index++) {
    if (stage.bring(numberOf(range, index * step)).allow) sent += 1;
    stage.wait(gap);
  }
  return sent;
}

suite('a range that is pumped with codes that the client brings', () => {
  for (const [words, range, step] of [
    ['1,000', MOROCCAN, 1],
    ['10,000', '+21266123', 97],
    ['100,000', '+2126612', 967],
    ['a million', '+212661', 9_677],
  ] as const) {
    test(`is stopped after as many as with codes that are drawn: one of ${words}`, () => {
      const drawn = new Stage();
      // Else it would be a new country, of which fewer are sent in all.
      drawn.everyday(50, MINUTE);
      let most = 0;
      for (let index = 0; index < 100; index++) {
        if (drawn.request(numberOf(range, index * step)).allow) most += 1;
        drawn.wait(SECOND);
      }
      const brought = pump(new Stage(), range, 100, SECOND, step);
      assert.ok(most < 40 && brought <= 1.25 * most, `${brought} brought, ${most} drawn`);
    });
  }

  test('gets few an hour of a flood that does not end', () => {
    const stage = new Stage();
    assert.ok(pump(stage, MOROCCAN, 20 * 30, 3 * MINUTE) < 100);
  });

  test('is stopped beside honest codes that clients bring for the rest of the country', () => {
    const stage = new Stage();
    for (let index = 0; index < 500; index++) {
      stage.bring(stage.somebody());
      stage.wait(SECOND);
    }
    assert.ok(pump(stage, MOROCCAN, 100, SECOND) <= 11);
  });

  test('is refused where codes that are drawn closed it, and tries it never', () => {
    const stage = new Stage();
    stage.everyday(50, MINUTE);
    stage.flood(MOROCCAN, 100, SECOND);
    for (let index = 0; index < 200; index++) {
      assert.equal(stage.bring(numberOf(MOROCCAN, 500 + index)).allow, false);
      stage.wait(MINUTE);
    }
  });
});

suite('people whose codes the client brings', () => {
  test('pass in an office that signs in twice a day, though nobody confirms', () => {
    const stage = new Stage();
    const morning = stage.now;
    for (let day = 0; day < 5; day++) {
      for (const again of [0, 2.5 * HOUR]) {
        for (let person = 0; person < 40; person++) {
          stage.now = morning + day * DAY + again + person * 1.5 * MINUTE;
          const judgement = stage.bring(numberOf(MOROCCAN, person * 7));
          assert.ok(judgement.allow, `day ${day}, person ${person}`);
        }
      }
    }
  });

  test('pass in a campaign over the ranges of one country, though nobody confirms', () => {
    const stage = new Stage();
    for (let index = 0; index < 10_000; index++) {
      assert.ok(stage.bring(stage.somebody()).allow);
      stage.wait(60);
    }
  });

  test('pass as known ones where a range is full of new ones', () => {
    const stage = new Stage();
    assert.ok(stage.person(numberOf(MOROCCAN, 999)));
    stage.wait(5 * HOUR);
    pump(stage, MOROCCAN, 100, SECOND);
    assert.equal(stage.bring(numberOf(MOROCCAN, 998)).allow, false);
    assert.ok(stage.bring(numberOf(MOROCCAN, 999)).allow);
  });

  test('make room for more where they confirm here after all', () => {
    const stage = new Stage();
    for (let index = 0; index < 100; index++) {
      const destination = numberOf(MOROCCAN, index);
      assert.ok(stage.bring(destination).allow, `${index}`);
      stage.wait(10 * SECOND);
      stage.guard.confirmed(stage.ask(destination), false);
    }
  });

  test('are refused where another account has a code open, and claim no number themselves', () => {
    const stage = new Stage();
    const [one, other] = [stage.somebody(), stage.somebody()];
    assert.ok(stage.request(one, { account: 'globex' }).allow);
    const judgement = stage.bring(one);
    assert.equal(judgement.allow ? '' : judgement.rule, 'bombing');
    for (let index = 0; index < 20; index++) stage.bring(other);
    assert.ok(stage.request(other, { account: 'globex' }).allow);
  });
});

suite('codes that the client brings', () => {
  test('change nothing for those that are judged here', () => {
    const answers = [true, false].map((isBeside) => {
      const stage = new Stage();
      const heard: string[] = [];
      const beside = (index: number) => {
        const range = index % 2 === 0 ? MOROCCAN : '+212677555';
        if (isBeside) stage.bring(numberOf(range, index));
        else stage.guard.advance(stage.now);
      };
      for (let index = 0; index < 1_500; index++) {
        beside(index);
        const destination = index % 3 === 0 ? numberOf(MOROCCAN, 999 - (index % 500)) : stage.somebody();
        const judgement = stage.request(destination);
        heard.push(judgement.allow ? `${judgement.probe}` : `${judgement.rule} ${judgement.detail}`);
        stage.wait(5 * SECOND);
        if (judgement.allow && index % 3 !== 0) stage.guard.confirmed(stage.ask(destination));
      }
      return heard;
    });
    assert.ok(answers[0]?.some((answer) => answer.startsWith('closed')));
    assert.deepEqual(answers[0], answers[1]);
  });

  test('close no place where the others have not come to that', () => {
    const stage = new Stage();
    stage.flood(MOROCCAN, 9, SECOND);
    stage.wait(5 * MINUTE);
    assert.equal(stage.bring(numberOf(MOROCCAN, 500)).allow, false);
    const closed = () => stage.guard.closed(stage.now).filter(([, count]) => count > 0);
    assert.deepEqual(closed(), []);
    assert.equal(stage.request(numberOf(MOROCCAN, 500)).allow, false);
    assert.notDeepEqual(closed(), []);
  });

  test('count nothing if something else refuses them', () => {
    const stage = new Stage();
    for (let index = 0; index < 100; index++) {
      const ask = stage.ask(numberOf(MOROCCAN, index));
      assert.ok(stage.guard.judgeBrought(ask).allow, `${index}`);
      stage.guard.takeBackBrought(ask, stage.guard.sentBrought(ask));
      stage.wait(SECOND);
    }
    stage.wait(2 * HOUR);
    assert.ok(pump(stage, MOROCCAN, 100, SECOND) <= 11, 'none of them comes back');
  });

  test('are told to the other nodes, and kept, in the form that the version before reads', () => {
    const [one, other, next] = [true, true, false].map((shares) => new Stage({ shares }));
    assert.ok(one && other && next);
    pump(one, MOROCCAN, 30, SECOND);
    const told = encodeShare(one.guard.takeChanges());
    assert.equal(Buffer.from(told, 'base64')[0], 2);
    for (const [stage, text] of [
      [other, told],
      [next, encodeShare(one.guard.snapshot())],
    ] as const) {
      stage.now = one.now;
      stage.guard.absorb(decodeShare(text) ?? assert.fail(), stage.now);
      assert.equal(stage.bring(numberOf(MOROCCAN, 900)).allow, false);
    }
  });
});
