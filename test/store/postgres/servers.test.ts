/** Several servers in one address: the one that can be written is used, also when that becomes another one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, suite, type TestContext, test } from 'node:test';
import { StoreFailure, StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import type { NewVerification } from '../../../src/core/verification/verification.ts';
import type { Store } from '../../../src/store/port.ts';
import { readDurability } from '../../../src/store/postgres/connection/durability.ts';
import { Servers } from '../../../src/store/postgres/connection/servers.ts';
import { TimelineGuard } from '../../../src/store/postgres/connection/timeline-guard.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { eventually } from '../../acceptance/client.ts';
import { freePort } from '../../free-port.ts';
import { type OwnPostgres, type Standby, startOwnPostgres, startStandby } from '../../postgres.ts';
import { guessAt, issueOne, LAX, newVerification, tally } from '../contract/rig.ts';
import { addressOf, lookAt, openNode, openNodes, severalHosts } from './rig.ts';

/** One address that leads to one server at a time, as a virtual address does. Its connections end when it leads elsewhere. */
async function startSwitch(first: number) {
  const open = new Set<Socket>();
  let port = first;
  const server = createServer((client) => {
    const to = connect({ port, host: '127.0.0.1' });
    for (const [one, other] of [
      [client, to],
      [to, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one
        .on('error', () => {})
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: address.port,
    leadTo(next: number) {
      port = next;
      endAll();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      endAll();
      await once(server, 'close');
    },
  };
}

/** A node that gives calls up as the service does. */
async function openOne(t: TestContext, url: string): Promise<Store> {
  const [node] = await openNodes(t, url, 1, LAX, {});
  assert.ok(node);
  return node;
}

suite('a primary and its standby in one address', () => {
  let primary: OwnPostgres;
  let standby: Standby;
  let database: string;
  let nowhere: number;
  before(async () => {
    primary = await startOwnPostgres(() => ['-c', 'synchronous_standby_names=*']);
    standby = await startStandby(primary);
    database = await primary.createDatabase();
    nowhere = await freePort();
  });
  after(async () => {
    await standby.dispose();
    await primary.dispose();
  });

  let isPromoted = false;
  /** For this test and those that follow. The primary knows nothing of it. */
  async function promote(): Promise<void> {
    if (!isPromoted) await standby.promote();
    isPromoted = true;
  }

  const urlOf = (ports: readonly number[], target = 'read-write') => severalHosts(database, ports, target);

  for (const target of ['read-write', 'primary']) {
    test(`with ${target} the primary is used, whichever is named first`, async (t) => {
      for (const ports of [
        [primary.port, standby.port],
        [standby.port, primary.port],
        [nowhere, standby.port, primary.port],
      ]) {
        const node = await openOne(t, urlOf(ports, target));
        assert.ok(node);
        const v = await issueOne(node);
        assert.equal((await node.confirm(guessAt(v, 'right'))).kind, 'confirmed');
      }
    });
  }

  test('with any the first that lets us in is used, and a standby is of no use', async (t) => {
    const node = await openOne(t, urlOf([nowhere, primary.port], 'any'));
    await node?.check();
    await assert.rejects(openNode(urlOf([standby.port, primary.port], 'any')), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.match(error.message, /recovery|read-only/);
      return true;
    });
  });

  test('one left behind is used at once when all others are standbys that follow it', async (t) => {
    const ask = async (ports: readonly number[]) => {
      const timelines = new TimelineGuard(SYSTEM_CLOCK.steady);
      timelines.judge(7, false);
      const servers = new Servers(addressOf(urlOf(ports)), { machine: SYSTEM_CLOCK, timelines });
      t.after(() => servers.close());
      try {
        (await servers.connect()).client.release();
        return servers.notes.map(({ state }) => state);
      } catch (error) {
        assert.match(String(error), /left behind/);
        return 'refused';
      }
    };
    assert.deepEqual(await ask([primary.port, standby.port]), ['used', 'standby']);
    assert.equal(await ask([primary.port, nowhere]), 'refused', 'that one may have what is newer');
    assert.equal(await ask([primary.port]), 'refused', 'there may be others behind the address');
  });

  test('the standbys that commits wait for are counted where the role may see them', async (t) => {
    const node = await openOne(t, urlOf([primary.port, standby.port]));
    assert.equal(await node?.database?.countSynchronous(), 1);
    const { synchronous, hasOthers } = await readDurability(addressOf(database));
    assert.deepEqual([synchronous, hasOthers], [1, true]);
    await lookAt(primary.url, "CREATE ROLE modest LOGIN PASSWORD 'modest'");
    const modest = new URL(database);
    modest.username = modest.password = 'modest';
    assert.equal((await readDurability(addressOf(modest.href))).synchronous, undefined);
    await lookAt(primary.url, 'ALTER ROLE modest SET synchronous_commit = local');
    assert.equal((await readDurability(addressOf(modest.href))).synchronous, 0);
  });

  test('where none can be used, the reasons of all are told', async () => {
    const { password } = new URL(database);
    for (const [target, why] of [
      ['read-write', 'the server is a standby, and target_session_attrs is read-write'],
      ['primary', 'the server is a standby, and target_session_attrs is primary'],
    ] as const) {
      await assert.rejects(openNode(urlOf([nowhere, standby.port], target)), (error: Error) => {
        assert.ok(error instanceof StoreUnavailable);
        const refused = `127.0.0.1:${nowhere}: connect ECONNREFUSED 127.0.0.1:${nowhere}`;
        assert.equal(error.message, `no server can be used (${refused}; 127.0.0.1:${standby.port}: ${why})`);
        assert.ok(!String(error.stack).includes(password));
        return true;
      });
    }
  });

  test('one that became read-only fails one call, and all its connections are left', async (t) => {
    const node = await openOne(t, urlOf([primary.port, standby.port]));
    assert.ok(node);
    await Promise.all(Array.from({ length: 20 }, () => node.keysRevision()));
    await lookAt(primary.url, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await lookAt(primary.url, 'SELECT pg_reload_conf()');
    const shown = "SELECT current_setting('default_transaction_read_only') AS set";
    while ((await lookAt<{ set: string }>(primary.url, shown))[0]?.set !== 'on');
    const told: string[] = [];
    for (let i = 0; i < 20; i++) {
      await node.check().then(
        // The setting reaches each session by itself.
        () => i--,
        (error: unknown) => {
          assert.ok(error instanceof StoreUnavailable, String(error));
          told.push(error.message);
        },
      );
    }
    const [first, ...others] = told;
    assert.match(first ?? '', /read-only transaction/);
    for (const other of others) assert.match(other, /no server can be used .*the server only reads/);
    await lookAt(primary.url, 'ALTER SYSTEM RESET default_transaction_read_only');
    await lookAt(primary.url, 'SELECT pg_reload_conf()');
    while ((await lookAt<{ set: string }>(primary.url, shown))[0]?.set !== 'off');
    await issueOne(node);
  });

  test('the one that served last is asked first', async (t) => {
    let asked = 0;
    const useless = createServer((socket) => {
      asked++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(useless, 'listening');
    t.after(() => useless.close());
    const address = useless.address();
    assert.ok(address !== null && typeof address === 'object');
    const node = await openOne(t, urlOf([address.port, primary.port]));
    assert.ok(node);
    await lookAt(
      database,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign'",
    );
    await eventually(() =>
      node.check().then(
        () => true,
        () => undefined,
      ),
    );
    assert.equal(asked, 1);
  });

  test('one that hangs is left for the standby that took over, and not returned to', async (t) => {
    const node = await openOne(t, urlOf([primary.port, standby.port]));
    assert.ok(node);
    const issued: NewVerification[] = [];
    let isOver = false;
    const work = async () => {
      while (!isOver) {
        const v = newVerification();
        try {
          await node.issue(v);
          issued.push(v);
        } catch (error) {
          assert.ok(error instanceof StoreFailure, String(error));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    const working = Promise.all(Array.from({ length: 16 }, work));
    const issueMore = async () => {
      const wanted = issued.length + 300;
      const done = await eventually(async () => issued.length >= wanted || undefined, 20_000);
      assert.ok(done, 'the service is away');
    };
    try {
      await issueMore();
      await primary.freeze();
      await promote();
      await issueMore();
      // Nobody has told the old one that it is no longer the primary.
      primary.thaw();
      await issueMore();
    } finally {
      isOver = true;
      await working;
    }
    const there = await openOne(t, urlOf([standby.port]));
    assert.ok(there);
    const confirmed = await Promise.all(issued.map((v) => there.confirm(guessAt(v, 'right'))));
    assert.deepEqual(tally(confirmed), { confirmed: issued.length });
  });

  test('behind one address the one left behind is refused, by name, until the right one is there', async (t) => {
    await promote();
    await using address = await startSwitch(standby.port);
    const logged: string[] = [];
    const log = (_: string, message: string, fields = {}) =>
      logged.push(`${message} ${JSON.stringify(fields)}`);
    const parts = { address: addressOf(urlOf([address.port])), ...LAX, log };
    const node = await openPostgresStore(parts);
    t.after(() => node.close());
    await node.check();
    address.leadTo(primary.port);
    const server = `127.0.0.1:${address.port}`;
    const refused = await eventually(() =>
      node.keysRevision().then(
        () => assert.fail('the old one was used'),
        ({ message }: Error) => (message.includes('left behind by a promotion') ? message : undefined),
      ),
    );
    const why = 'the server was left behind by a promotion: it is on timeline 1, and another was on 2';
    assert.equal(refused, `no server can be used (${server}: ${why})`);
    assert.deepEqual(node.database?.servers, [{ server, state: 'left-behind' }]);
    assert.ok(logged.some((line) => line.includes(server) && line.includes(why)));
    address.leadTo(standby.port);
    assert.ok(
      await eventually(() =>
        node.check().then(
          () => true,
          () => undefined,
        ),
      ),
    );
    assert.deepEqual(node.database?.servers, [{ server, state: 'used' }]);
  });

  test('the one left behind is used again when the newer one has been gone for long enough', async (t) => {
    await promote();
    await using address = await startSwitch(standby.port);
    const logged: string[] = [];
    const servers = new Servers(addressOf(urlOf([address.port])), {
      machine: SYSTEM_CLOCK,
      log: (level, message) => logged.push(`${level} ${message}`),
      timelines: new TimelineGuard(SYSTEM_CLOCK.steady, 100),
    });
    t.after(() => servers.close());
    const use = () =>
      servers.connect().then(
        ({ client }) => {
          client.release();
          return true;
        },
        () => undefined,
      );
    assert.equal(await use(), true);
    address.leadTo(primary.port);
    servers.doubt();
    assert.equal(await use(), undefined);
    assert.equal(await eventually(use), true);
    const told =
      'error an older server of the database is used again: what was saved on the newer one is lost';
    assert.deepEqual(
      logged.filter((line) => line.startsWith('error')),
      [told],
    );
  });

  test('with all servers named, a newer one that is gone may come back', async (t) => {
    await promote();
    // In this order, because a node that starts does not know of a promotion before it has seen it.
    const node = await openOne(t, urlOf([standby.port, primary.port]));
    assert.ok(node);
    await standby.kill();
    const refused = await eventually(() =>
      node.check().then(
        () => assert.fail('the old one was used'),
        ({ message }: Error) =>
          /left behind by a promotion: .* timeline 1, .* on 2/.test(message) || undefined,
      ),
    );
    assert.ok(refused);
    assert.deepEqual(
      node.database?.servers.map(({ state }) => state),
      ['unreachable', 'left-behind'],
    );
  });
});
