/** One code asked for at another account must not keep a known person from signing in. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR, MINUTE, SECOND, Stage } from './fixture.ts';

const bank = { account: 'bank' };
const shop = { account: 'shop' };
const forum = { account: 'forum' };
const game = { account: 'game' };
const ruleOf = (judgement: ReturnType<Stage['request']>) => (judgement.allow ? 'none' : judgement.rule);

/** Somebody who signed in at the bank three times. */
function known(): { readonly stage: Stage; readonly number: string } {
  const stage = new Stage();
  const number = stage.somebody();
  for (let times = 0; times < 3; times++) {
    assert.ok(stage.person(number, bank));
    stage.wait(4 * HOUR);
  }
  return { stage, number };
}

suite('a known person', () => {
  test('signs in where they last confirmed, whatever others asked for', () => {
    const { stage, number } = known();
    for (const other of [shop, forum, game]) {
      stage.request(number, other);
      stage.wait(SECOND);
      assert.equal(ruleOf(stage.request(number, bank)), 'none', other.account);
      stage.wait(MINUTE);
      stage.guard.confirmed(stage.ask(number, bank));
    }
  });

  test('signs in however often another form is posted, and the form gets no more than six in hours', () => {
    const { stage, number } = known();
    let posted = 0;
    for (let round = 0; round < 60; round++) {
      for (let post = 0; post < 3; post++) {
        if (stage.request(number, shop).allow) posted += 1;
        stage.wait(SECOND);
      }
      if (round % 6 === 0) assert.ok(stage.person(number, bank), `round ${round}`);
      stage.wait(5 * MINUTE);
    }
    assert.ok(posted <= 6 + 8, `${posted} in five hours`);
  });

  test('may use a second and a third service within minutes', () => {
    const { stage, number } = known();
    for (const service of [shop, forum]) {
      assert.equal(ruleOf(stage.request(number, service)), 'none', service.account);
      stage.wait(10 * MINUTE);
    }
  });

  test('is bombed by several codes of several accounts, but not where they last confirmed', () => {
    const { stage, number } = known();
    const answers = [shop, forum, game, shop, forum].map((who) => {
      stage.wait(20 * SECOND);
      return ruleOf(stage.request(number, who));
    });
    assert.deepEqual(answers, ['none', 'none', 'bombing', 'bombing', 'bombing']);
    assert.equal(ruleOf(stage.request(number, bank)), 'none');
  });

  test('gets so many codes and no more where they last confirmed, too', () => {
    const { stage, number } = known();
    const answers = Array.from({ length: 12 }, () => {
      stage.wait(20 * SECOND);
      return ruleOf(stage.request(number, bank));
    });
    assert.equal(answers.filter((rule) => rule === 'none').length, 6);
    assert.equal(answers.at(-1), 'silent-number');
  });

  test('is known where they last confirmed, whatever others asked for: a closed country lets them pass', () => {
    const { stage, number } = known();
    for (const other of [shop, forum]) stage.request(number, other);
    assert.equal(stage.guard.explain(stage.ask(number, bank)).number.isKnown, true);
    assert.equal(stage.guard.explain(stage.ask(number, bank)).number.isOfAnother, false);
    assert.equal(stage.guard.explain(stage.ask(number, game)).number.isKnown, false);
  });

  test('is one of the account that confirmed last', () => {
    const { stage, number } = known();
    assert.ok(stage.person(number, shop));
    for (const who of [forum, game]) stage.request(number, who);
    assert.equal(ruleOf(stage.request(number, shop)), 'none');
    assert.equal(ruleOf(stage.request(number, bank)), 'bombing');
  });
});

test('of a number that never confirmed one foreign code is enough', () => {
  const stage = new Stage();
  const number = stage.somebody();
  assert.deepEqual(
    [shop, bank, shop].map((who) => ruleOf(stage.request(number, who))),
    ['none', 'bombing', 'bombing'],
  );
});

test('who is exempt is known at all nodes, and after a restart', () => {
  const { stage, number } = known();
  const [one, other] = [new Stage({ shares: true }), new Stage({ shares: true })];
  for (const node of [one, other]) {
    node.now = stage.now;
    node.guard.absorb(stage.guard.snapshot(), node.now);
  }
  for (const who of [shop, forum]) assert.equal(ruleOf(one.request(number, who)), 'none');
  other.guard.absorb(one.guard.takeChanges(), other.now);
  assert.equal(ruleOf(other.request(number, game)), 'bombing');
  assert.equal(ruleOf(other.request(number, bank)), 'none');
  one.guard.absorb(other.guard.takeChanges(), one.now);
  other.wait(SECOND);
  other.guard.confirmed(other.ask(number, bank));
  one.guard.absorb(other.guard.takeChanges(), one.now);
  for (const node of [one, other]) {
    assert.equal(
      ruleOf(node.request(number, shop)),
      'bombing',
      'a confirmation there changes nothing for others',
    );
  }
});
