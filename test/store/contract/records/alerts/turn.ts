/** Which node looks and tells: one at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFiring } from '../../../../../src/accounts/alerts/alerts.ts';
import { evaluate } from '../../../../../src/alerts/evaluation.ts';
import { LeaderLease } from '../../../../../src/alerts/leader-lease.ts';
import type { AlertSource } from '../../../../../src/alerts/watch/source.ts';
import { inForce } from '../../../../../src/core/alerts/rule.ts';
import { createManualClock } from '../../../../../src/core/seams/clock-fixture.ts';
import { DAY, SECOND } from '../../rig.ts';
import { type AlertRig, LEASE, NOW, OWN } from './rig.ts';

export function describeTurn(rig: AlertRig): void {
  const { finding, newNode, notices } = rig;

  test('of hundreds of nodes one has the turn, and the next when its lease has ended', async () => {
    const { store } = rig;
    const clock = createManualClock(NOW);
    const turns = Array.from(
      { length: 200 },
      (_, n) => new LeaderLease({ records: store, clock, node: `node ${n}`, lease: LEASE }),
    );
    const first = await Promise.all(turns.map((leaderLease) => leaderLease.take()));
    assert.equal(first.filter(Boolean).length, 1);
    const holder = turns[first.indexOf(true)];
    assert.ok(holder !== undefined && holder.leftMs > 0);
    // A node that stops without ever having had it ends nothing.
    await turns.find((leaderLease) => leaderLease !== holder)?.release();
    clock.pass(LEASE - 1);
    assert.equal(
      (await Promise.all(turns.map((leaderLease) => leaderLease !== holder && leaderLease.take()))).includes(
        true,
      ),
      false,
    );
    clock.pass(1);
    const second = await Promise.all(
      turns.map((leaderLease) => leaderLease !== holder && leaderLease.take()),
    );
    assert.equal(second.filter(Boolean).length, 1);
    assert.equal((await store.transact([holder.guard()])).done, false, 'the one before writes nothing');
    await turns[second.indexOf(true)]?.release();
    assert.ok(await holder.take());
  });

  test('a turn that was taken by a clock far ahead is free', async () => {
    const { store } = rig;
    const ahead = createManualClock(NOW + 10 * DAY);
    assert.ok(await new LeaderLease({ records: store, clock: ahead, node: 'ahead', lease: LEASE }).take());
    const clock = createManualClock(NOW);
    assert.ok(await new LeaderLease({ records: store, clock, node: 'right', lease: LEASE }).take());
  });

  test('a node that lost the turn while it looked writes nothing', async () => {
    const { store, acme } = rig;
    const [late, next] = [newNode('late'), newNode('next')];
    await late.look(NOW, []);
    next.clock.step(LEASE + SECOND);
    assert.ok(await next.leaderLease.take());
    // Its own clock says that it still has the turn.
    late.clock.step(LEASE + SECOND);
    const source: AlertSource = async () => [finding()];
    const sources = [[['guard-acting'], source]] as const;
    const logged: string[] = [];
    const log = (_: string, message: string) => void logged.push(message);
    await evaluate(
      { ...{ records: store, leaderLease: late.leaderLease, sources, inForce, own: OWN, log } },
      late.clock.now(),
    );
    assert.deepEqual(await notices(), []);
    assert.deepEqual(logged, [], 'nor does it say in the log that an alert fires');
    assert.equal(await countFiring(store, acme), 0);
  });
}
