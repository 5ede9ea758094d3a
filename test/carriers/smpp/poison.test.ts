/** Messages that make the SMSC drop the link, among others that it would take. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Carrier, Outcome } from '../../../src/core/sending/carrier.ts';
import { ACCEPTED, scriptedCarrier } from '../../../src/delivery/fixture.ts';
import { type Flow, startFlow } from './flow.ts';
import { bound, createRig, freshNumber, inTime, messageTo, until } from './rig.ts';
import { Smsc } from './smsc.ts';

const POISON = '482913 is poison';
const UNANSWERED = '482913 is never answered';
const LOST = 'smsc: connection lost after submit_sm';
const REFUSED = 'smsc: the SMSC drops the link at this message';

async function started(t: TestContext, responseMs = 2): Promise<{ carrier: Carrier; smsc: Smsc }> {
  const smsc = await new Smsc({ poison: POISON, unanswered: UNANSWERED, responseMs }).start();
  t.after(() => smsc.stop());
  const { carrier } = createRig({ port: smsc.port });
  t.after(() => carrier.stop());
  carrier.start();
  await bound(carrier);
  return { carrier, smsc };
}

/** Poisoned messages, each among 99 that are not. */
async function sendMixed(flow: Flow, hundreds: number): Promise<{ poisoned: string[]; innocent: string[] }> {
  const numbers = (count: number) => Array.from({ length: count }, () => freshNumber('88'));
  const [poisoned, innocent]: [string[], string[]] = [[], []];
  for (let hundred = 0; hundred < hundreds; hundred += 1) {
    const [before, at, after] = await Promise.all([
      flow.send(numbers(50)),
      flow.send(numbers(1), POISON),
      flow.send(numbers(49)),
    ]);
    poisoned.push(...at);
    innocent.push(...before, ...after);
  }
  return { poisoned, innocent };
}

it('counts them as refused after three drops each, and sends all others', async (t) => {
  const { carrier, smsc } = await started(t);
  await using flow = await startFlow([carrier]);
  const { poisoned, innocent } = await sendMixed(flow, 5);
  await flow.emptied();
  assert.deepEqual(flow.taken.toSorted(), innocent.toSorted());
  for (const id of poisoned) assert.deepEqual(flow.triesOf(id), [LOST, LOST, REFUSED]);
  assert.ok(smsc.drops <= 15, `${smsc.drops} drops`);
  for (const id of innocent) {
    const lost = flow.triesOf(id).filter((each) => each === LOST).length;
    assert.ok(lost <= 2, 'messages that shared a window twice are then sent one at a time, and pass');
    const seen = smsc.seen.filter(({ to }) => `ver_${to}` === id).length;
    assert.ok(seen <= lost + 1, 'it is sent twice only where an answer was lost');
  }
  assert.deepEqual(flow.states, []);
});

it('empties a link for a message that was there at two drops, even if the flow never ends', async (t) => {
  const { carrier, smsc } = await started(t, 30);
  const to = freshNumber('88');
  let outcome: Outcome = { kind: 'accepted' };
  let over = false;
  let accepted = 0;
  const flow = Array.from({ length: 12 }, async (_, runner) => {
    for (let count = 0; !over; count += 1) {
      const message = { ...messageTo(freshNumber('88')), id: `ver_${runner}_${count}` };
      const { kind } = await carrier.submit(message, inTime());
      if (kind === 'accepted') accepted += 1;
      else await bound(carrier);
    }
  });
  for (const drops of [1, 2, 3]) {
    const before = accepted;
    // The whole flow is sent again, so that others are under way.
    await until(() => accepted > before + 24);
    // All others may have been answered when the poison comes. The third time it has to be alone.
    const text = drops < 3 ? UNANSWERED : undefined;
    const companion = carrier.submit(
      { ...messageTo(freshNumber('88'), text), id: `ver_companion_${drops}` },
      inTime(),
    );
    outcome = await carrier.submit({ ...messageTo(to, POISON), id: 'ver_poison' }, inTime());
    await companion;
    assert.equal(smsc.drops, drops);
    await bound(carrier);
  }
  over = true;
  await Promise.all(flow);
  assert.deepEqual(outcome, {
    kind: 'permanent',
    reason: 'the SMSC drops the link at this message',
    unclear: true,
  });
  const besides = smsc.seen.filter((message) => message.to === to).map(({ beside }) => beside > 0);
  assert.deepEqual(besides, [true, true, false]);
});

it('leaves them to the next carrier once they are refused', async (t) => {
  const { carrier } = await started(t);
  let answer: Outcome = { kind: 'temporary', reason: 'busy', uncounted: true };
  const spare = scriptedCarrier('spare', () => answer);
  await using flow = await startFlow([carrier, spare]);
  const { poisoned, innocent } = await sendMixed(flow, 1);
  const [id = ''] = poisoned;
  await until(() => flow.triesOf(id).includes(REFUSED), 20_000);
  answer = ACCEPTED;
  await flow.emptied();
  assert.equal(flow.triesOf(id).at(-1), 'spare: accepted');
  assert.equal(flow.triesOf(id).filter((each) => each.startsWith('smsc')).length, 3);
  assert.equal(flow.taken.length, 100);
  for (const each of innocent) assert.ok(!flow.triesOf(each).includes(REFUSED));
});
