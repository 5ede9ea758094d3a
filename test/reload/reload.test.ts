/** A running service reads its configuration again. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { Smsc } from '../carriers/smpp/smsc.ts';
import { answer, type Behaviour, type Gateway, openGateway } from '../faults/gateway.ts';
import { type Reloadable, spareRoute, startReloadable } from './rig.ts';

const SECRET = 'a-password-of-the-carrier';

suite('a changed configuration', () => {
  let one: Gateway;
  let two: Gateway;
  let smsc: Smsc;
  let reloadable: Reloadable;
  const parts = new AsyncDisposableStack();

  before(async () => {
    one = parts.use(await openGateway());
    two = parts.use(await openGateway());
    smsc = parts.use(await new Smsc({}).start());
    reloadable = parts.use(await startReloadable(plain()));
  });
  after(() => parts.disposeAsync());

  const link = () => ({
    type: 'smpp',
    ...{ host: '127.0.0.1', port: smsc.port, systemId: 'u', password: 'p', source: 'Acme' },
  });
  interface Wishes extends Readonly<Record<string, unknown>> {
    readonly carriers?: object;
    readonly routes?: readonly object[];
  }
  const plain = ({
    carriers = { one: one.carrier, two: two.carrier, smsc: link() },
    routes = over('one').routes,
    ...rest
  }: Wishes = {}) => ({
    limits: { requestsPerKey: [], sendsPerDestination: ['100/1h'] },
    ...{ carriers, routes: [spareRoute(carriers), ...routes], ...rest },
  });
  const over = (...carriers: string[]) => ({ routes: [{ channel: 'sms', carriers }] });
  const all = () => ({ one: one.carrier, two: two.carrier, smsc: link() });
  const send = async (to = freshNumber()) => {
    const { status, json, text } = await reloadable.service.client.verify(to);
    assert.equal(status, 200, text);
    return { id: json.id ?? '', to };
  };
  const at = (gateway: Gateway, wanted: string) =>
    eventually(async () => gateway.received.find(({ to }) => to === wanted), 10_000);
  const takenBy = async (carrier: string) =>
    Number(new RegExp(`submitted_total\\{.*carrier="${carrier}"\\} (\\d+)`).exec(await metrics())?.[1] ?? 0);
  const metrics = async () => (await reloadable.service.client.get('/metrics', { key: null })).text;

  test('routes lead elsewhere from the next request on, and the same carriers stay bound', async () => {
    assert.ok(await eventually(async () => smsc.binds.length > 0 || undefined, 10_000));
    const { to } = await send();
    assert.ok(await at(one, to));
    const binds = smsc.binds.length;
    const outcome = await reloadable.reload(plain(over('two')));
    assert.deepEqual(
      { ...outcome, at: 0 },
      { at: 0, by: 'command', ok: true, changed: ['routes'], problems: [] },
    );
    const moved = await send();
    assert.ok(await at(two, moved.to));
    assert.equal(smsc.binds.length, binds);
  });

  test('one account may have more codes for a number than the others, from the next code on', async () => {
    const { client, dataDir } = reloadable.service;
    using db = new DatabaseSync(join(dataDir, 'countersign.db'), { timeout: 20_000 });
    const id = String(db.prepare('SELECT id FROM account').get()?.id);
    const statuses = async (to = freshNumber()) =>
      (await Promise.all(Array.from({ length: 6 }, () => client.verify(to))))
        .map(({ status }) => status)
        .sort();
    const accounts = { [id]: { limits: { sendsPerDestination: ['4/1h'] } }, acc_0: { limits: {} } };
    const { ok, changed } = await reloadable.reload(plain({ ...over('two'), accounts }));
    assert.deepEqual([ok, changed], [true, Object.keys(accounts).map((each) => `accounts.${each}`)]);
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 429, 429]);
    const warning = () =>
      reloadable.service
        .logs()
        .split('\n')
        .find((line) => line.includes('accounts.acc_0') && line.includes('no account has this id'));
    assert.ok(await eventually(async () => warning(), 10_000));
    await reloadable.reload(plain(over('two')));
    assert.deepEqual(await statuses(), Array(6).fill(200));
  });

  test('a signal does the same, and the log says what changed, but not how', async () => {
    const { service } = reloadable;
    await reloadable.write(plain({ ...over('one'), messages: { brand: 'Brandnew' } }));
    process.kill(service.pid, 'SIGHUP');
    const line = await eventually(
      async () =>
        service
          .logs()
          .split('\n')
          .find((text) => text.includes('messages.brand')),
      10_000,
    );
    const { event, by, changed, level } = JSON.parse(line ?? '{}');
    assert.deepEqual(
      { event, by, changed, level },
      { event: 'config.reloaded', by: 'signal', changed: ['messages.brand', 'routes'], level: 'info' },
    );
    assert.ok(!service.logs().includes('Brandnew'));
    const { to } = await send();
    assert.match((await at(one, to))?.text ?? '', /Brandnew/);
  });

  test('what is wrong is refused whole, with the reason, and everything goes on', async () => {
    const wrong = plain({ ...over('two', 'nobody'), messages: { brand: 'Other' } });
    const refused = await reloadable.reload(wrong);
    assert.equal(refused.ok, false);
    assert.match(refused.problems.join(), /nobody/);
    const { to } = await send();
    assert.match((await at(one, to))?.text ?? '', /Brandnew/);
    assert.deepEqual((await reloadable.reload('a: [')).ok, false);
    await assert.rejects(reloadable.service.command('config', 'reload'), (error) => {
      assert.ok(error instanceof Error && 'code' in error && 'stderr' in error);
      assert.equal(error.code, 1);
      assert.match(String(error.stderr), /is not valid YAML/);
      return true;
    });
  });

  test('what needs a restart is refused with its key, and with it all the rest', async () => {
    const config = plain({ ...over('two'), retention: { verifications: '40d' }, log: { level: 'warn' } });
    const refused = await reloadable.reload(config);
    assert.deepEqual(refused.problems, [
      'retention.verifications: changes only with a restart; restart the service, or take the change back',
    ]);
    assert.deepEqual(refused.changed.toSorted(), [
      'log.level',
      'messages.brand',
      'retention.verifications',
      'routes',
    ]);
    const { to } = await send();
    assert.ok(await at(one, to));
    await assert.rejects(reloadable.service.command('config', 'reload'), (error) => {
      assert.ok(error instanceof Error && 'code' in error && 'stderr' in error);
      assert.equal(error.code, 1);
      assert.match(String(error.stderr), /refused.*\n.*retention.verifications/);
      return true;
    });
  });

  test('the command says what it took', async () => {
    await reloadable.write(plain(over('one')));
    assert.equal(await reloadable.service.command('config', 'reload'), 'taken: messages.brand\n');
    assert.equal(await reloadable.service.command('config', 'reload'), 'nothing has changed\n');
    const json = JSON.parse(await reloadable.service.command('config', 'reload', '--json'));
    assert.deepEqual(json, { ok: true, changed: [], problems: [] });
  });

  test('countries, budgets, ranges and daily caps hold from the next request on', async () => {
    const { client } = reloadable.service;
    const refuse = async (rest: object, status: number, words: RegExp) => {
      assert.equal((await reloadable.reload(plain({ ...over('one'), ...rest }))).ok, true);
      const answer = await client.verify('+4915112345678');
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, words);
    };
    await refuse({ guard: { countries: ['FR'] } }, 400, /country_not_allowed/);
    await refuse({ guard: { neverSend: { add: ['+4915'] } } }, 400, /never_sent/);
    const budget = { of: 'country', per: 'day', money: 1 };
    await refuse({ budgets: [budget] }, 400, /no_price/);
    const priced = { ...one.carrier, prices: { default: 2 } };
    await refuse({ budgets: [budget], carriers: { ...all(), one: priced } }, 429, /budget-exhausted/);
    const routes = [{ channel: 'sms', carriers: ['one'], dailyCap: 1 }];
    assert.equal((await reloadable.reload(plain({ routes }))).ok, true);
    assert.equal((await client.verify(freshNumber())).status, 200);
    // The same cap goes on.
    assert.equal((await reloadable.reload(plain({ routes, messages: { brand: 'Same' } }))).ok, true);
    assert.equal((await client.verify(freshNumber())).status, 429);
    assert.equal((await reloadable.reload(plain(over('one')))).ok, true);
    assert.equal((await client.verify(freshNumber())).status, 200);
  });

  test('a channel is offered while a route serves it', async () => {
    const { client } = reloadable.service;
    const [sms] = over('one').routes;
    const offers = async (routes: readonly object[], isOffered: boolean) => {
      assert.equal((await reloadable.reload(plain({ routes }))).ok, true);
      const { status, text } = await client.verify(freshNumber(), 'whatsapp');
      assert.equal(status, isOffered ? 200 : 400, text);
      assert.equal(/must be one of sms,voice"/.test(text), !isOffered, text);
      const document = await client.get('/openapi.json', { key: null });
      assert.equal(/"whatsapp"/.test(document.text), isOffered);
    };
    const whatsapp = { channel: 'whatsapp', carriers: ['simulator'] };
    await offers([sms ?? {}], false);
    await offers([sms ?? {}, whatsapp], true);
    const number = freshNumber();
    const again = () => client.verify(number, 'whatsapp', { headers: { 'idempotency-key': 'k' } });
    const first = await again();
    assert.equal(first.status, 200);
    await offers([sms ?? {}], false);
    assert.deepEqual((await again()).json, first.json, 'a repetition is answered as the first');
  });

  test('a message that waits for its next try goes by the new routes', async () => {
    one.behave(answer(503));
    const { to } = await send();
    assert.ok(await at(one, to));
    assert.equal((await reloadable.reload(plain(over('two')))).ok, true);
    assert.ok(await at(two, to));
    one.behave((message, response) => response.writeHead(200).end(JSON.stringify({ id: message.id })));
  });

  test('a message under way stays with its carrier, though that is gone, and is sent by no other', async () => {
    assert.equal((await reloadable.reload(plain(over('one', 'two')))).ok, true);
    const held: (() => void)[] = [];
    const hold: Behaviour = (message, response) =>
      void held.push(() => response.writeHead(200).end(JSON.stringify({ id: message.id })));
    one.behave(hold);
    const before = await takenBy('one');
    const { to } = await send();
    assert.ok(await at(one, to));
    const { two: left, smsc: other } = all();
    const gone = { carriers: { two: left, smsc: other }, ...over('two') };
    assert.equal((await reloadable.reload(plain(gone))).ok, true);
    assert.match(await metrics(), /carrier_breaker_state\{carrier="two"\}/);
    assert.doesNotMatch(await metrics(), /carrier_breaker_state\{carrier="one"\}/);
    for (const answer of held) answer();
    const taken = await eventually(
      async () => (await takenBy('one')) >= before + held.length || undefined,
      10_000,
    );
    assert.ok(taken);
    assert.equal(
      two.received.some((message) => message.to === to),
      false,
    );
  });

  test('a carrier outlives a message that it got many configurations ago', async () => {
    assert.equal((await reloadable.reload(plain(over('one', 'two')))).ok, true);
    const held: { readonly to: string; readonly answer: () => void }[] = [];
    one.behave(
      (message, response) =>
        void held.push({
          to: message.to,
          answer: () => response.writeHead(200).end(JSON.stringify({ id: message.id })),
        }),
    );
    const before = await takenBy('one');
    const { to } = await send();
    assert.ok(await at(one, to));
    const changed = (timeout: string) => ({
      carriers: { ...all(), one: { ...one.carrier, timeout } },
      ...over('one', 'two'),
    });
    for (const wishes of [
      { ...over('one', 'two'), messages: { brand: 'Later' } },
      changed('6s'),
      changed('7s'),
    ]) {
      assert.equal((await reloadable.reload(plain(wishes))).ok, true);
    }
    // One that is in the way of another is stopped within a second, unless it is still waited for.
    await sleep(2_500);
    for (const { answer } of held) answer();
    assert.ok(
      await eventually(async () => (await takenBy('one')) >= before + held.length || undefined, 10_000),
    );
    // A message of a test before may have come on its next try.
    assert.deepEqual(
      [held.filter((message) => message.to === to).length, two.received.some((message) => message.to === to)],
      [1, false],
    );
  });

  test('a changed carrier binds again before routes lead to it, and other credentials reach no log', async () => {
    one.behave((message, response) => response.writeHead(200).end(JSON.stringify({ id: message.id })));
    const before = smsc.binds.length;
    const changed = { ...all(), smsc: { ...link(), window: 7 } };
    const outcome = await reloadable.reload(plain({ carriers: changed, ...over('smsc') }));
    assert.ok(outcome.changed.includes('carriers.smsc.window'));
    assert.ok(smsc.binds.length > before);
    const { to } = await send();
    assert.ok(await eventually(async () => smsc.seen.find((seen) => `+${seen.to}` === to), 10_000));
    const locked = { ...all(), smsc: { ...link(), password: SECRET.slice(0, 8) } };
    await reloadable.reload(plain({ carriers: locked, ...over('one') }));
    const isLogged = async () => reloadable.service.logs().includes('carriers.smsc.password') || undefined;
    assert.ok(await eventually(isLogged, 10_000), 'the log says what changed');
    assert.ok(!reloadable.service.logs().includes(SECRET.slice(0, 8)));
  });

  test('only its user may open the door, which is gone after a stop, and made again after a kill', async () => {
    const { service } = reloadable;
    const door = join(service.dataDir, 'serve.sock');
    assert.equal((await stat(door)).mode & 0o777, 0o600);
    await reloadable.write(plain(over('two')));
    await service.kill9();
    assert.ok(existsSync(door));
    await service.restart();
    assert.equal((await reloadable.reload(plain(over('one')))).ok, true);
    assert.equal(await service.stop(), 0);
    assert.ok(!existsSync(door));
    await assert.rejects(service.command('config', 'reload'), /no service listens/);
    await writeFile(door, '');
  });
});
