/** What an account says of its own codes is evidence against itself, and neither a weapon nor a key. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type FraudVerdict, type GivenVerdict, MOST_COUNTED } from '../core/guarding/verdict.ts';
import type { Ask } from './ask.ts';
import { HOUR, MINUTE, SECOND, Stage } from './fixture.ts';

const acme = { account: 'acme' };
const shop = { account: 'shop' };
const DAY = 24 * HOUR;
/** Whatever is judged, what is sent is the same. */
const PASSED = { allow: true, probe: false, teaching: 0, closed: [] } as const;
/** What is asked for in a country where nobody confirms is counted together, too: that is the account's own. */
const OWN = new Set(['account-country', 'device', 'unproven']);

/** Says it of a code, as the service would, and answers what was counted. */
function say(
  { guard, now }: Stage,
  ask: Ask,
  verdict: FraudVerdict,
  { isConfirmed = false, before = null }: { isConfirmed?: boolean; before?: GivenVerdict | null } = {},
): GivenVerdict {
  const given = { verdict, at: now, weight: guard.weigh({ ...ask, at: now }, isConfirmed, verdict) };
  guard.judged({ ...ask, at: now }, ask.at, before, given);
  return given;
}

/** One network for all, and a device of each account: that is how the service names them. */
const from = (who: Partial<Ask>) => ({ ...who, network: 'network', device: `device of ${who.account}` });

/** The evidence at every place that a request would have. */
const evidence = (stage: Stage, destination: string, who: Partial<Ask>) =>
  stage.guard.explain(stage.ask(destination, from(who)));

const placeOf = (stage: Stage, kind: string, who: Partial<Ask>) => {
  const found = evidence(stage, '+212661234567', who).places.find((place) => place.kind === kind);
  assert.ok(found);
  return found;
};

/** Numbers all over the country, so that no range and no hurry gives them away. */
function pump(stage: Stage, count: number, verdict: FraudVerdict | undefined): number {
  let sent = 0;
  let said = 0;
  let day = 0;
  for (let index = 0; index < count; index++) {
    const ask = stage.ask(stage.somebody(), acme);
    if (stage.request(ask.destination, acme).allow) sent += 1;
    stage.wait(4 * MINUTE);
    const today = Math.floor(stage.now / DAY);
    if (today !== day) said = 0;
    day = today;
    if (verdict === undefined || said >= MOST_COUNTED[verdict].account) continue;
    if (say(stage, ask, verdict).weight !== 0) said += 1;
  }
  return sent;
}

suite('a poisoner loses', () => {
  test('whatever an account says, nothing changes at a place where others are judged', () => {
    const step = fc.record({
      who: fc.constantFrom(acme, shop),
      does: fc.constantFrom('asks', 'confirms', 'fraud', 'good'),
      pause: fc.integer({ min: SECOND, max: 20 * MINUTE }),
      range: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
        const [honest, poisoned] = [new Stage(), new Stage()];
        for (const { who, does, pause, range } of steps) {
          const destination = `+2126612345${String(range).padStart(2, '0')}`;
          for (const stage of [honest, poisoned]) {
            const ask = stage.ask(destination, from(who));
            stage.guard.advance(stage.now);
            // What is asked for is the same in both worlds, whatever is judged.
            if (does === 'asks') stage.guard.written(stage.guard.sent(ask, PASSED));
            if (does === 'confirms') stage.guard.confirmed(ask);
            if ((does === 'fraud' || does === 'good') && stage === poisoned && who === acme)
              say(stage, ask, does, { isConfirmed: does === 'fraud' });
            stage.wait(pause);
          }
          for (const other of [shop, { account: 'third' }]) {
            assert.deepEqual(evidence(poisoned, destination, other), evidence(honest, destination, other));
          }
          const shared = (stage: Stage) =>
            evidence(stage, destination, acme)
              .places.filter(({ kind }) => !OWN.has(kind))
              .map(({ kind, sent, confirmed }) => ({ kind, sent, confirmed }));
          assert.deepEqual(shared(poisoned), shared(honest));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('who calls everything good opens no country where nobody confirms', () => {
    const [silent, liar] = [new Stage(), new Stage()];
    const said = pump(liar, 600, 'good');
    assert.equal(said, pump(silent, 600, undefined));
    assert.ok(said < 120, `${said} of 600`);
  });

  test('where people confirm, lies of many days let no more pass than count in those days', () => {
    const days = 4;
    const perDay = DAY / (4 * MINUTE);
    const sentBy = (verdict: FraudVerdict | undefined) => {
      const stage = new Stage();
      stage.everyday(60, MINUTE, acme);
      return pump(stage, days * perDay, verdict);
    };
    const more = sentBy('good') - sentBy(undefined);
    assert.ok(more <= (days + 1) * MOST_COUNTED.good.account, `${more} more`);
  });

  test('who calls everything good opens nothing that is closed', () => {
    const stage = new Stage();
    stage.everyday(80, MINUTE, acme);
    for (let times = 0; times < 55; times++)
      say(stage, stage.ask(stage.somebody(), acme), 'fraud', { isConfirmed: true });
    assert.equal(stage.request(stage.somebody(), acme).allow, false);
    const before = placeOf(stage, 'account-country', acme);
    assert.equal(before.state, 'closed');
    assert.ok((before.confirmed[2] ?? 0) >= 3);
    for (let times = 0; times < 400; times++) say(stage, stage.ask(stage.somebody(), acme), 'good');
    assert.deepEqual(placeOf(stage, 'account-country', acme), before);
  });

  test('who calls everything fraud closes its own country and nobody else’s', () => {
    const stage = new Stage();
    for (let round = 0; round < 30; round++) {
      stage.everyday(2, MINUTE, acme);
      stage.everyday(2, MINUTE, shop);
    }
    for (let times = 0; times < MOST_COUNTED.fraud.account; times++)
      say(stage, stage.ask(stage.somebody(), acme), 'fraud', { isConfirmed: true });
    stage.wait(MINUTE);
    assert.equal(stage.request(stage.somebody(), acme).allow, false);
    assert.equal(placeOf(stage, 'account-country', acme).state, 'closed');
    for (let times = 0; times < 20; times++) {
      assert.equal(stage.person(stage.somebody(), shop), true);
      stage.wait(MINUTE);
    }
    const closed = stage.guard.closed(stage.now).filter(([, count]) => count > 0);
    assert.deepEqual(closed, [['account-country', 1]]);
  });

  test('changing one’s mind for ever moves nothing by more than one code', () => {
    const stage = new Stage();
    stage.everyday(40, MINUTE, acme);
    const ask = stage.ask(stage.somebody(), acme);
    stage.request(ask.destination, acme);
    stage.wait(10 * MINUTE);
    const countAt = () => placeOf(stage, 'account-country', acme).sent[2] ?? 0;
    const start = countAt();
    let before: GivenVerdict | null = null;
    for (let times = 0; times < 500; times++) {
      // It is confirmed in between.
      const isConfirmed = times > 2;
      before = say(stage, ask, times % 2 === 0 ? 'good' : 'fraud', { isConfirmed, before });
      const moved = Math.abs(countAt() - start);
      assert.ok(moved < 1.05, `${moved} after ${times}`);
    }
  });
});

suite('a verdict', () => {
  test('of fraud closes the device of an account at last, and not that of another', () => {
    const stage = new Stage();
    stage.everyday(20, MINUTE, acme);
    const device = { ...acme, device: 'farm' };
    for (let times = 0; times < 16; times++) {
      const ask = stage.ask(stage.somebody(), device);
      stage.person(ask.destination, device);
      stage.wait(5 * MINUTE);
      say(stage, ask, 'fraud', { isConfirmed: true });
    }
    const judgement = stage.request(stage.somebody(), device);
    assert.equal(judgement.allow ? 'allowed' : judgement.rule, 'closed:device');
    assert.ok(stage.request(stage.somebody(), acme).allow);
  });

  test('that somebody was genuine excuses a silence, and nothing where there is none', () => {
    const stage = new Stage();
    for (let times = 0; times < 10; times++) assert.ok(stage.person(stage.somebody(), acme));
    stage.wait(10 * MINUTE);
    assert.equal(say(stage, stage.ask(stage.somebody(), acme), 'good').weight, 0);
    const silent = stage.ask(stage.somebody(), acme);
    stage.request(silent.destination, acme);
    stage.wait(10 * MINUTE);
    assert.equal(say(stage, silent, 'good', { isConfirmed: true }).weight, 0);
    const sent = placeOf(stage, 'account-country', acme).sent[2] ?? 0;
    assert.equal(say(stage, silent, 'good').weight, -1);
    const moved = sent - (placeOf(stage, 'account-country', acme).sent[2] ?? 0);
    assert.ok(moved > 0.9 && moved <= 1, `${moved}`);
  });

  test('takes back no more at a node than that was told', () => {
    const [one, late] = [new Stage({ shares: true }), new Stage({ shares: true })];
    one.everyday(10, MINUTE, acme);
    one.guard.takeChanges();
    for (let times = 0; times < 5; times++)
      say(one, one.ask(one.somebody(), acme), 'fraud', { isConfirmed: true });
    late.now = one.now;
    late.guard.absorb(one.guard.takeChanges(), late.now);
    assert.deepEqual(placeOf(late, 'account-country', acme).confirmed, [0, 0, 0]);
  });

  test('is told to other nodes', () => {
    const [one, other] = [new Stage({ shares: true }), new Stage({ shares: true })];
    one.everyday(10, MINUTE, acme);
    other.now = one.now;
    other.guard.absorb(one.guard.takeChanges(), other.now);
    const confirmed = () => placeOf(other, 'account-country', acme).confirmed[2] ?? 0;
    const before = confirmed();
    say(one, one.ask(one.somebody(), acme), 'fraud', { isConfirmed: true });
    other.guard.absorb(one.guard.takeChanges(), other.now);
    assert.ok(before - confirmed() > 0.9);
  });
});
