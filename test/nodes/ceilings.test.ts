/** Two nodes whose configurations let one account have different numbers of codes, as while a change is rolled out. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, freshNumber, problemOf, wrongCode } from '../acceptance/client.ts';
import { firstAccount, openPortal, read } from '../portal/rig.ts';
import type { Service } from '../service.ts';
import { openAccount } from '../twilio/account.ts';
import { startCluster } from './cluster.ts';

interface Defaults {
  readonly defaults: Record<
    'sends_per_destination' | 'failed_guesses_per_destination',
    { readonly limits: readonly string[]; readonly of: string }
  >;
}

test('each node keeps to its own ceiling of an account, by what all nodes have sent', async (t) => {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-ceilings-'));
  parts.defer(() => rm(folder, { recursive: true }));
  const [file, otherFile] = [join(folder, 'here.yaml'), join(folder, 'there.yaml')];
  const write = (to: string, accounts: object) =>
    writeFile(to, JSON.stringify({ limits: { requestsPerKey: [] }, code: { guesses: 10 }, accounts }));
  for (const each of [file, otherFile]) await write(each, {});
  const cluster = parts.use(
    await startCluster({
      withoutKeys: true,
      env: { COUNTERSIGN_CONFIG: file },
      secondEnv: { COUNTERSIGN_CONFIG: otherFile },
    }),
  );
  const [here, there] = cluster.nodes;
  const portal = await openPortal(t, here);
  const owner = await portal.setUp();
  const { id } = await firstAccount(owner);
  const { path, createKey } = await openAccount(owner);
  const key = await createKey();

  const reload = async (to: string, node: Service, rates: readonly [sends: string, wrong: string]) => {
    const [sendsPerDestination, failedGuessesPerDestination] = rates.map((rate) => [rate]);
    await write(to, { [id]: { limits: { sendsPerDestination, failedGuessesPerDestination } } });
    process.kill(node.pid, 'SIGHUP');
    const isRead = async () => node.logs().includes('"config.reloaded"') || undefined;
    assert.ok(await eventually(isRead), node.logs());
  };
  await reload(file, here, ['8/1d', '4/1d']);
  await reload(otherFile, there, ['3/10m', '2/10m']);

  const number = freshNumber();
  const as = { key };
  const both = [here, there] as const;
  const answers = await Promise.all(
    both.map(({ client }) => Promise.all(Array.from({ length: 30 }, () => client.verify(number, 'sms', as)))),
  );
  const [ofHere = [], ofThere = []] = answers.map((each) => each.filter(({ status }) => status === 200));
  assert.equal(ofHere.length + ofThere.length, 8);
  assert.ok(ofThere.length <= 3, `${ofThere.length} codes there`);
  const policies = answers.map((each) => [
    ...new Set(each.flatMap(({ headers }) => headers['ratelimit-policy'] ?? [])),
  ]);
  assert.deepEqual(policies, [['"destination-1d";q=8;w=86400'], ['"destination-10m";q=3;w=600']]);

  const arrived = async () => {
    const ids = (await here.client.messages(number, as)).map((message) => message.id);
    return ids.length === 8 ? ids : undefined;
  };
  const promised = [...ofHere, ...ofThere].map(({ json }) => json.id);
  assert.deepEqual((await eventually(arrived))?.toSorted(), promised.toSorted(), 'no code is lost');

  const [newest = assert.fail()] = await here.client.messages(number, as);
  const guesses = await Promise.all(
    both.map(({ client }) =>
      Promise.all(Array.from({ length: 10 }, () => client.confirm(newest.id, wrongCode(newest.code), as))),
    ),
  );
  const [atHere = 0, atThere = 0] = guesses.map(
    (each) => each.filter((answer) => problemOf(answer) === 'code-mismatch').length,
  );
  assert.equal(atHere + atThere, 4);
  assert.ok(atThere <= 2, `${atThere} guesses there`);

  for (const [node, [sends, wrong]] of [
    [here, ['8/1d', '4/1d']],
    [there, ['3/10m', '2/10m']],
  ] as const) {
    const visitor = portal.visitor(node);
    for (const [name, value] of owner.cookies) visitor.cookies.set(name, value);
    const { defaults } = read<Defaults>(await visitor.get(`${path}/settings`));
    assert.deepEqual(defaults.sends_per_destination, { limits: [sends], of: 'account' });
    assert.deepEqual(defaults.failed_guesses_per_destination, { limits: [wrong], of: 'account' });
  }
});
