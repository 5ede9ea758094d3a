/** What is held about a number, for the person who asks: read out and erased by an owner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditLog } from '../../src/portal/audit/contract.ts';
import type { BlockedNumbers } from '../../src/portal/do-not-send/contract.ts';
import type { NumberErased, NumberExport } from '../../src/portal/numbers/contract.ts';
import type { VerificationPage } from '../../src/portal/verifications/contract.ts';
import { eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { accept, openGateway } from '../faults/gateway.ts';
import { firstAccount, read, startPortal } from './rig.ts';

const ABROAD = '+447400123456';

test('an owner reads out what an account holds about a number, and erases it', async (t) => {
  const gateway = await openGateway();
  t.after(() => gateway.close());
  const routes = [
    { channel: 'sms', countries: ['GB'], carriers: ['gateway'] },
    { channel: 'sms', carriers: ['simulator'] },
  ];
  const { service, setUp } = await startPortal(t, {
    config: { carriers: { gateway: gateway.carrier }, routes },
  });
  const { client } = service;
  const owner = await setUp();
  const { id, name } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}`;
  const key = await service.createKey('shop', { account: name });
  const elsewhere = await service.createKey('other', { account: 'other' });
  const [number, another] = [freshNumber(), freshNumber()];
  const sent = await client.issue(number, 'sms', { key });
  const confirmed = await client.issue(number, 'sms', { key });
  assert.equal((await client.confirm(confirmed.id, confirmed.code, { key })).status, 200);
  const kept = [
    { ...(await client.issue(another, 'sms', { key })), key },
    { ...(await client.issue(number, 'sms', { key: elsewhere })), key: elsewhere },
  ];

  assert.equal((await owner.post(`${path}/do-not-send/numbers`, { number })).status, 204);

  const spaced = `${number.slice(0, 5)} ${number.slice(5)}`;
  const exported = await owner.post(`${path}/numbers/export`, { destination: spaced });
  const found = read<NumberExport>(exported);
  assert.deepEqual([found.destination, found.next], [number, null]);
  assert.deepEqual(
    found.do_not_send.map(({ account, source }) => [account, source]),
    [[name, 'person']],
  );
  assert.deepEqual(
    found.verifications.map((each) => [each.id, each.account, each.destination, each.status]),
    [
      [confirmed.id, name, number, 'confirmed'],
      [sent.id, name, number, 'pending'],
    ],
  );
  assert.deepEqual(
    found.verifications.map(({ attempts }) => attempts.map(({ outcome }) => outcome)),
    [['delivered'], ['delivered']],
  );
  for (const { code } of [sent, confirmed]) assert.ok(!exported.text.includes(code));

  for (const wrong of [{ destination: '12' }, { destination: number, before: 'x' }]) {
    const refused = await owner.post(`${path}/numbers/erase`, wrong);
    assert.equal(problemOf(refused), 'invalid-request');
    assert.equal(refused.json.errors?.[0]?.field, 'before' in wrong ? 'before' : 'destination');
  }
  const erased = await owner.post(`${path}/numbers/erase`, { destination: number });
  const { erased: count, do_not_send: list } = read<NumberErased>(erased);
  assert.deepEqual([count, list], [2, 'kept']);
  for (const { id, code } of [sent, confirmed]) {
    const answer = await client.confirm(id, code, { key });
    assert.deepEqual([answer.status, problemOf(answer)], [404, 'verification-not-found']);
  }
  const searched = await owner.post(`${path}/verifications/search`, { query: number });
  assert.deepEqual(read<VerificationPage>(searched).verifications, []);
  for (const { id, code, key } of kept) assert.equal((await client.confirm(id, code, { key })).status, 200);
  const off = { destination: number, also_do_not_send: true };
  const outcomes = [
    read<NumberErased>(await owner.post(`${path}/numbers/erase`, off)),
    read<NumberErased>(await owner.post(`${path}/numbers/erase`, off)),
  ];
  assert.deepEqual(
    outcomes.map(({ erased, do_not_send }) => [erased, do_not_send]),
    [
      [0, 'removed'],
      [0, null],
    ],
  );
  const { numbers } = read<BlockedNumbers>(await owner.get(`${path}/do-not-send/numbers`));
  assert.deepEqual(numbers, []);

  const log = await owner.get(`${path}/audit`);
  const entries = read<AuditLog>(log).entries.filter(({ action }) => action.startsWith('number.'));
  assert.deepEqual(
    entries.map(({ action, who }) => [action, who]),
    [
      ['number.unblocked', 'Olive Owner (owner@example.com)'],
      ['number.erased', 'Olive Owner (owner@example.com)'],
      ['number.exported', 'Olive Owner (owner@example.com)'],
      ['number.blocked', 'Olive Owner (owner@example.com)'],
    ],
  );
  for (const { action, subject } of entries)
    assert.match(subject, /block/.test(action) ? /^a number$/ : /^\+\d{1,3}•+\d\d$/);
  assert.ok(!log.text.includes(number.slice(4)));

  // A message that a carrier has while the command line, another process, erases its number.
  const answers: (() => void)[] = [];
  gateway.behave((message, response) => answers.push(() => accept(message, response, response.req)));
  const { json } = await client.verify(ABROAD, 'sms', { key });
  const release = await eventually(async () => answers[0]);
  const said = await service.command('numbers', 'erase', '--destination', ABROAD);
  assert.match(said, /^erased 1 verification of \+44•+56$/m);
  release?.();
  gateway.behave(accept);
  const next = await client.verify(ABROAD, 'sms', { key });
  const settled = await eventually(async () => {
    const { verifications } = read<NumberExport>(
      await owner.post(`${path}/numbers/export`, { destination: ABROAD }),
    );
    return verifications.some(({ attempts }) => attempts.length > 0) ? verifications : undefined;
  });
  assert.deepEqual(
    settled?.map(({ id }) => id),
    [next.json.id],
  );
  assert.equal((await owner.get(`${path}/verifications/${json.id}`)).status, 404);
  // What was still to be done with the erased one is done then, and all of the log is written.
  await service.stop();
  assert.ok(!/"level":(50|"error")/.test(service.logs()), service.logs());
});
