/** A gate for a carrier with a link. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Outcome } from '../../core/sending/carrier.ts';
import { ACCEPTED, messageWith, OPEN_GATE, scriptedCarrier, settled, TEMPORARY } from '../fixture.ts';
import { createGate } from './gate.ts';

const message = messageWith();
const WANTED = { wanted: true };
const NO_LINK = { kind: 'passed', reason: 'no link' };
const LONGEST_MS = 2_000;

function gateWithLink(
  script: () => Outcome | Promise<Outcome> = () => ACCEPTED,
  concurrency = OPEN_GATE.concurrency,
) {
  const link = {
    trouble: undefined as string | undefined,
    tell: () => {},
    watch(listener: () => void) {
      link.tell = listener;
    },
  };
  const set = (trouble: string | undefined) => {
    link.trouble = trouble;
    link.tell();
  };
  const states: string[] = [];
  const troubles: string[] = [];
  const carrier = scriptedCarrier('smsc', script);
  const gate = createGate(
    { ...carrier, link },
    { ...OPEN_GATE, concurrency, breaker: { failures: 2, resetAfter: 60_000 } },
    (state) => states.push(state),
    (trouble) => troubles.push(trouble),
  );
  const submit = (elsewhere = false) => gate.submit(message, WANTED, () => elsewhere);
  return { gate, carrier, states, troubles, submit, down: () => set('refused'), up: () => set(undefined) };
}

suite('a gate whose carrier has no link', () => {
  test('sends messages away at once if they can go elsewhere, and admits none', async () => {
    const { gate, carrier, troubles, submit, down, up } = gateWithLink();
    down();
    assert.equal(gate.admits('sms'), false);
    assert.deepEqual(await submit(true), NO_LINK);
    assert.deepEqual(troubles, ['refused']);
    assert.deepEqual(carrier.submitted, []);
    up();
    assert.equal(gate.admits('sms'), true);
    assert.deepEqual(await submit(true), ACCEPTED);
  });

  test('lets the others wait, and asks when the link is up', async () => {
    const { carrier, submit, down, up, states } = gateWithLink();
    down();
    const answers = [submit(), submit(), submit()];
    await settled();
    assert.deepEqual(carrier.submitted, []);
    up();
    assert.deepEqual(await Promise.all(answers), [ACCEPTED, ACCEPTED, ACCEPTED]);
    assert.deepEqual(states, []);
  });

  test('returns them to the queue after two seconds, or when the code has expired', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    const { gate, submit, down } = gateWithLink();
    down();
    const short = gate.submit(messageWith({ expiresAt: 1_000_500 }), WANTED, () => false);
    const long = submit();
    t.mock.timers.tick(500);
    assert.deepEqual(await short, NO_LINK);
    t.mock.timers.tick(LONGEST_MS - 500);
    assert.deepEqual(await long, NO_LINK);
  });

  test('lets at most a thousand wait', async () => {
    const { gate, submit, down } = gateWithLink();
    down();
    const waiting = Array.from({ length: 1_000 }, () => submit());
    assert.deepEqual(await submit(), { kind: 'passed', reason: 'places taken' });
    gate.abort();
    for (const answer of await Promise.all(waiting)) {
      assert.deepEqual(answer, { kind: 'passed', reason: 'stopping' });
    }
    assert.deepEqual(await submit(), { kind: 'passed', reason: 'stopping' });
  });

  test('has room again after those that waited in vain', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { submit, down, up } = gateWithLink();
    down();
    const waiting = Array.from({ length: 1_000 }, () => submit());
    t.mock.timers.tick(LONGEST_MS);
    for (const answer of await Promise.all(waiting)) assert.deepEqual(answer, NO_LINK);
    const next = submit();
    up();
    assert.deepEqual(await next, ACCEPTED);
  });
});

test('once the node stops, no message begins to wait for a link', () => {
  const { gate, submit, down } = gateWithLink();
  down();
  gate.abort();
  assert.deepEqual(submit(), { kind: 'passed', reason: 'stopping' });
});

test('when a link breaks, messages already waiting for a place are not sent', async () => {
  const answers: ((outcome: Outcome) => void)[] = [];
  const { carrier, submit, down } = gateWithLink(() => new Promise((resolve) => answers.push(resolve)), 1);
  const asked = submit();
  const waiting = submit();
  down();
  answers[0]?.(ACCEPTED);
  assert.deepEqual(await Promise.all([asked, waiting]), [ACCEPTED, NO_LINK]);
  assert.equal(carrier.submitted.length, 1);
});

test('a message that finds the link down has not been tried', async () => {
  const { submit } = gateWithLink(() => ({ ...TEMPORARY, link: 'down' }));
  assert.deepEqual(await submit(), NO_LINK);
});

test('a link that comes up closes the breaker', async () => {
  let outcome: Outcome = TEMPORARY;
  const { submit, down, up, states } = gateWithLink(() => outcome);
  await submit();
  await submit();
  assert.deepEqual(await submit(), { kind: 'passed', reason: 'breaker open' });
  down();
  const waiting = submit();
  outcome = ACCEPTED;
  up();
  assert.deepEqual(await waiting, ACCEPTED);
  assert.deepEqual(states, ['open', 'closed']);
});

test('failures before a link came up do not count afterwards', async () => {
  const { submit, down, up, states } = gateWithLink(() => TEMPORARY);
  await submit();
  down();
  up();
  await submit();
  assert.deepEqual(states, []);
});
