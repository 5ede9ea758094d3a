/** An account learns what the guard holds against a number only as far as it comes from the account itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE, SECOND, Stage } from '../../guard/fixture.ts';
import { checkAgainstGuard, type OwnCode } from './guard-check.ts';

const NUMBER = '+212661234567';
const SHOP = { account: 'shop', key: 'till' };

const told = (stage: Stage, own: readonly OwnCode[] = []) =>
  checkAgainstGuard(
    { mode: 'enforce', explanation: stage.guard.explain(stage.ask(NUMBER, SHOP)) },
    own,
    stage.now,
  );
const unconfirmed = (stage: Stage, count: number): OwnCode[] =>
  Array.from({ length: count }, () => ({ createdAt: stage.now - MINUTE, confirmedAt: null, brought: false }));

test('an account sees a number the same way, whatever another account asked for there', () => {
  const untouched = told(new Stage());
  assert.equal(untouched.verdict, 'passes');
  const asked = new Stage();
  asked.request(NUMBER);
  const silent = new Stage();
  for (let i = 0; i < 8; i++) silent.request(NUMBER);
  const known = new Stage();
  known.person(NUMBER);
  for (const stage of [asked, silent, known]) {
    stage.wait(SECOND);
    assert.deepEqual(told(stage), untouched);
    assert.deepEqual(told(stage, unconfirmed(stage, 7)).verdict, 'refuses');
  }
});

test('a number that confirms none of this account’s codes is reported, until they fade or it confirms one', () => {
  const stage = new Stage();
  const own = unconfirmed(stage, 7);
  const { verdict, detail } = told(stage, own);
  assert.deepEqual(
    [verdict, detail.slice(0, 46)],
    ['refuses', '7 codes of this account there were not confirm'],
  );
  assert.equal(told(stage, own.slice(2)).verdict, 'passes');
  const confirmed = {
    createdAt: stage.now - 30 * SECOND,
    confirmedAt: stage.now - 10 * SECOND,
    brought: false,
  };
  assert.equal(told(stage, [confirmed, ...own]).verdict, 'passes');
  stage.wait(6 * HOUR);
  assert.equal(told(stage, own).verdict, 'passes');
});

test('codes that the client brought do not count against a number, and count for it where they were confirmed here', () => {
  const stage = new Stage();
  const brought = unconfirmed(stage, 20).map((code) => ({ ...code, brought: true }));
  assert.equal(told(stage, brought).verdict, 'passes');
  stage.flood('+212661234', 200, SECOND);
  assert.equal(told(stage, brought).verdict, 'unsure');
  const here = { createdAt: stage.now - MINUTE, confirmedAt: stage.now, brought: true };
  assert.match(told(stage, [here, ...brought]).detail, /^It has confirmed before/);
});

test('a closed range comes without figures, because others sent there; the account’s own places come with theirs', () => {
  const stage = new Stage();
  stage.everyday(50, MINUTE);
  stage.flood('+212661234', 200, SECOND);
  const { verdict, detail } = told(stage);
  assert.equal(verdict, 'unsure');
  assert.match(detail, /range of .* \+2126612.*: closed\./);
  assert.doesNotMatch(detail.replaceAll(/range of [\d,]+ \+\d+/g, ''), /\d/);

  const own = new Stage();
  for (let i = 0; i < 400; i++) {
    own.request(`+2126${(61_000_000 + i * 97_003) % 100_000_000}`, SHOP);
    own.wait(SECOND);
  }
  const mine = /^countries where nothing was confirmed yet: closed; a message tries it about every \d+ s/;
  assert.match(told(own).detail, mine);
});

test('a range with more open codes than it has earned is reported as full, as the guard refuses there', () => {
  const stage = new Stage();
  let index = 0;
  const next = () => `+212661234${`${index++}`.padStart(3, '0')}`;
  while (stage.request(next()).allow) stage.wait(SECOND);
  const judged = stage.guard.judge(stage.ask(next(), SHOP));
  assert.ok(!judged.allow && judged.rule.startsWith('room:'), JSON.stringify(judged));
  const { verdict, detail } = told(stage);
  assert.equal(verdict, 'unsure');
  assert.match(detail, /^range of 1,000 \+212661234: full\.$/);
  stage.wait(HOUR);
  assert.doesNotMatch(told(stage).detail, /full/);
});
