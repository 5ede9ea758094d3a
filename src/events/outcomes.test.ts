/** What became of messages, as it is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSenderRig } from './fixture.ts';
import { leaseEndpoints } from './leases.ts';
import { type WebhookOutcome, writeOutcomes } from './outcomes.ts';

async function open() {
  const rig = await openSenderRig();
  const { store, keyring, clock } = rig;
  const webhookId = await rig.add('shop');
  const [lease] = await leaseEndpoints(store, keyring, { node: 'node', lease: 1_000, now: clock.now() });
  return {
    ...rig,
    webhookId,
    /** Of messages by their place, as the holder of the lease. */
    settle: (outcomes: readonly WebhookOutcome[]) =>
      writeOutcomes(store, [{ webhookId, fence: lease?.fence ?? 0, outcomes }]),
  };
}

test('of hundreds that an endpoint took at once, each is settled', async () => {
  await using rig = await open();
  const { store, clock, webhookId, settle, write } = rig;
  for (let i = 0; i < 120; i++) await write(webhookId);
  const due = () => store.dueMessages({ webhookId, now: clock.now(), held: [], limit: 1_000 });
  const seqs = (await due()).map(({ seq }) => seq);
  assert.equal(seqs.length, 120);
  await settle(seqs.map((seq) => ({ seq, fate: { kind: 'sent' }, at: clock.now() })));
  assert.deepEqual(await due(), []);
});

test('a failure takes nothing back that was taken, nor counts one more try of what was given up', async () => {
  await using rig = await open();
  const { clock, webhookId, settle, write, messagesOf } = rig;
  for (let i = 0; i < 2; i++) await write(webhookId);
  const [second, first] = (await messagesOf(webhookId)).map(({ seq }) => seq);
  assert.ok(first !== undefined && second !== undefined);
  const at = clock.now();
  const givenUp: WebhookOutcome = { seq: second, fate: { kind: 'given-up', answer: 'HTTP 500' }, at };
  await settle([{ seq: first, fate: { kind: 'sent' }, at }, givenUp]);
  const before = await messagesOf(webhookId);
  assert.deepEqual(
    before.map(({ state, tries }) => [state, tries]),
    [
      ['given-up', 1],
      ['sent', 1],
    ],
  );
  // As after a write whose outcome was not known.
  await settle([{ seq: first, fate: { kind: 'later', answer: 'HTTP 500', dueAt: at + 5_000 }, at }, givenUp]);
  assert.deepEqual(await messagesOf(webhookId), before);
});
