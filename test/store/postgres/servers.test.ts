/** Several servers in one address: the one that can be written is used, also when that becomes another one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { StoreFailure, StoreUnavailable } from '../../../src/core/errors.ts';
import type { NewVerification } from '../../../src/core/verification/verification.ts';
import { eventually } from '../../acceptance/client.ts';
import { freePort } from '../../free-port.ts';
import { type OwnPostgres, type Standby, startOwnPostgres, startStandby } from '../../postgres.ts';
import { guessAt, issueOne, newVerification, tally } from '../contract/rig.ts';
import { lookAt, openNode, openNodes, severalHosts } from './rig.ts';

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

  const urlOf = (ports: readonly number[], target = 'read-write') => severalHosts(database, ports, target);

  for (const target of ['read-write', 'primary']) {
    test(`with ${target} the primary is used, whichever is named first`, async (t) => {
      for (const ports of [
        [primary.port, standby.port],
        [standby.port, primary.port],
        [nowhere, standby.port, primary.port],
      ]) {
        const [node] = await openNodes(t, urlOf(ports, target), 1);
        assert.ok(node);
        const v = await issueOne(node);
        assert.equal((await node.confirm(guessAt(v, 'right'))).kind, 'confirmed');
      }
    });
  }

  test('with any the first that lets us in is used, and a standby is of no use', async (t) => {
    const [node] = await openNodes(t, urlOf([nowhere, primary.port], 'any'), 1);
    await node?.check();
    await assert.rejects(openNode(urlOf([standby.port, primary.port], 'any')), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.match(error.message, /recovery|read-only/);
      return true;
    });
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
    const [node] = await openNodes(t, urlOf([primary.port, standby.port]), 1);
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
    const [node] = await openNodes(t, urlOf([address.port, primary.port]), 1);
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
    const [node] = await openNodes(t, urlOf([primary.port, standby.port]), 1);
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
      await standby.promote();
      await issueMore();
      // Nobody has told the old one that it is no longer the primary.
      primary.thaw();
      await issueMore();
    } finally {
      isOver = true;
      await working;
    }
    const [there] = await openNodes(t, urlOf([standby.port]), 1);
    assert.ok(there);
    const confirmed = await Promise.all(issued.map((v) => there.confirm(guessAt(v, 'right'))));
    assert.deepEqual(tally(confirmed), { confirmed: issued.length });
    await standby.kill();
    const refused = await eventually(() =>
      node.check().then(
        () => assert.fail('the old one was used'),
        ({ message }: Error) =>
          /left behind by a promotion: .* timeline 1, .* on 2/.test(message) || undefined,
      ),
    );
    assert.ok(refused);
  });
});
