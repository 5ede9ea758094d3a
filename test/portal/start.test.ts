/** The first steps of an account, ticked by what the store has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeys } from '../../src/accounts/keys.ts';
import { COMMAND_LINE } from '../../src/core/accounts/actor.ts';
import type { Start } from '../../src/portal/start/contract.ts';
import { SUBMITTED, settlement } from '../store/contract/rig.ts';
import { type LookupRig, openLookup, path } from './store/lookup-rig.ts';

const GERMAN = '+4915123456789';

const read = async ({ get }: LookupRig): Promise<Start> => (await get(path('start'))).json;
const done = (start: Start) => Object.entries(start).flatMap(([step, isDone]) => (isDone ? [step] : []));

test('a new account has done nothing; a code of a test key is ticked', async (t) => {
  const rig = await openLookup(t);
  assert.deepEqual(done(await read(rig)), ['carrier'], 'no route of this service is simulated');
  const key = { id: 'key_1', name: 'Try', test: true, prefix: 'cs_test_x', hash: 'h', createdAt: 1 };
  await createKeys(rig.store).createKey('Other', key, COMMAND_LINE);
  assert.deepEqual(done(await read(rig)), ['carrier'], 'a key of another account');
  const other = await openLookup(t);
  const sent = await other.send(GERMAN, { test: true });
  await other.store.settle(settlement(sent, SUBMITTED, [{ carrier: 'simulator', reference: 'r1' }]));
  assert.equal((await read(other)).code, true);
});

test('a first real message is one that a carrier took, not the simulator', async (t) => {
  const rig = await openLookup(t);
  const simulated = await rig.send(GERMAN);
  await rig.store.settle(settlement(simulated, SUBMITTED, [{ carrier: 'simulator', reference: 'r1' }]));
  assert.equal((await read(rig)).sent, false);
  const other = await openLookup(t);
  const real = await other.send(GERMAN);
  await other.store.settle(settlement(real, SUBMITTED, [{ carrier: 'smsc', reference: 'r2' }]));
  assert.equal((await read(other)).sent, true);
});
