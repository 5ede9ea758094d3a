/** Links that break, and an Asterisk that dies and comes back, with calls under way. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CallEvent } from '../../../src/carriers/asterisk/event.ts';
import type { CallLine } from '../../../src/carriers/asterisk/line.ts';
import { AriLink } from '../../../src/carriers/asterisk/link.ts';
import { createRest } from '../../../src/carriers/asterisk/rest.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { createGate } from '../../../src/delivery/gate/gate.ts';
import { AriPeer } from './peer.ts';
import { startRig, until, voiceMessage } from './rig.ts';

const quick = { graceMs: 50, beatMs: 50 };

/** `restMs` is how long a request may take: short only where requests hang. */
async function startLink(asterisk: AriPeer, timing: typeof quick, restMs = 10_000) {
  const credentials = { url: asterisk.url, user: 'otp', password: 'secret' };
  const rest = createRest(SYSTEM_CLOCK, credentials, restMs);
  const shown: string[] = [];
  const log = (_: string, message: string, fields = {}) =>
    void shown.push(`${message} ${JSON.stringify(fields)}`);
  const link = new AriLink(
    credentials,
    rest,
    { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM, log, onUp: () => {} },
    timing,
  );
  link.start();
  await until(() => link.isUp && asterisk.links === 1);
  return { link, rest, shown, [Symbol.asyncDispose]: () => link.stop() };
}

/** Calls on a link, as the carrier makes them. */
async function dial({ link, rest }: Awaited<ReturnType<typeof startLink>>, count: number) {
  const calls = Array.from({ length: count }, () => link.open());
  for (const { channel } of calls) await rest('POST', `/channels/${channel}`, { app: link.app });
  return calls;
}

async function untilHeard(line: CallLine, kind: CallEvent['kind']): Promise<void> {
  const until = performance.now() + 10_000;
  for (let event = await line.next(until); event.kind !== kind; event = await line.next(until)) {
    assert.notEqual(event.kind, 'late', `${kind} is heard`);
  }
}

suite('a link that breaks', () => {
  test('for a moment: every call hears where it stands', async () => {
    await using asterisk = await new AriPeer().start();
    asterisk.fate = (call) => call.ring();
    await using rig = await startLink(asterisk, { graceMs: 10_000, beatMs: 50 });
    const calls = await dial(rig, 2);
    asterisk.dropLinks();
    for (const { line } of calls) await untilHeard(line, 'resumed');
    await Promise.all(calls.map(({ channel }) => rig.link.close(channel)));
  });

  test('while a call is made: the call goes on, and the code is heard whole', async () => {
    await using rig = await startRig();
    await rig.linked();
    rig.asterisk.playMs = 10;
    const outcome = rig.submit();
    await until(() => (rig.asterisk.calls[0]?.played.length ?? 0) > 3);
    rig.asterisk.dropLinks();
    assert.deepEqual(await outcome, { kind: 'delivered' });
    assert.equal(rig.asterisk.calls.length, 1);
  });

  test('while it rings: the answer is not missed', async () => {
    await using rig = await startRig();
    await rig.linked();
    rig.asterisk.fate = (call) => {
      rig.asterisk.dropLinks();
      call.answer();
    };
    assert.deepEqual(await rig.submit(), { kind: 'delivered' });
  });

  test('with Asterisk: its calls are given up at once, and the next are made when it is back', async () => {
    await using rig = await startRig();
    await rig.linked();
    rig.asterisk.playMs = 60_000;
    const outcomes = Promise.all(Array.from({ length: 10 }, () => rig.submit()));
    await until(() => rig.asterisk.calls.filter(({ played }) => played.length > 0).length === 10);
    await rig.asterisk.die();
    assert.equal((await rig.submit()).kind, 'temporary');
    await rig.asterisk.start();
    for (const { kind } of await outcomes) assert.equal(kind, 'temporary');
    rig.asterisk.playMs = 1;
    await rig.linked();
    assert.deepEqual(await rig.submit(), { kind: 'delivered' });
  });

  test('after the code was said once: the call is not repeated', async () => {
    await using rig = await startRig();
    await rig.linked();
    rig.asterisk.playMs = 5;
    const outcome = rig.submit();
    await until(() => (rig.asterisk.calls[0]?.played.length ?? 0) > 9);
    await rig.asterisk.die();
    assert.deepEqual(await outcome, { kind: 'delivered' });
    await rig.asterisk.start();
  });

  test('for longer than calls can wait: they are given up, and hung up when it is back', async () => {
    await using asterisk = await new AriPeer().start();
    await using rig = await startLink(asterisk, quick, 1_000);
    const calls = await dial(rig, 6);
    asterisk.override = () => 'hang';
    asterisk.dropLinks();
    for (const { line } of calls) await untilHeard(line, 'lost');
    await Promise.all(calls.map(({ channel }) => rig.link.close(channel)));
    assert.equal(asterisk.channels, 6);
    asterisk.override = () => undefined;
    asterisk.dropLinks();
    await until(() => asterisk.channels === 0);
  });

  test('without notice: that is detected, and it is opened again', async () => {
    await using asterisk = await new AriPeer().start();
    await using rig = await startLink(asterisk, quick);
    asterisk.deaf = true;
    await until(() => rig.shown.some((text) => text.includes('silent')));
    asterisk.deaf = false;
    await until(() => rig.link.isUp);
  });

  test('on one side only: Asterisk no longer knows us, and we subscribe again', async () => {
    await using asterisk = await new AriPeer().start();
    await using rig = await startLink(asterisk, quick);
    asterisk.override = (_, path) => (path === '/events/user/beat' ? 404 : undefined);
    await until(() => rig.shown.some((text) => text.includes('forgot')));
    asterisk.override = () => undefined;
    await until(() => rig.link.isUp);
  });
});

test('behind a gate, no call is tried while the link is down, and the waiting one is made when it is up', async () => {
  await using rig = await startRig();
  await rig.linked();
  const states: string[] = [];
  const options = {
    clock: SYSTEM_CLOCK,
    concurrency: 10,
    timeout: 60_000,
    breaker: { failures: 1, resetAfter: 60_000 },
  };
  const gate = createGate(rig.carrier, options, (state) => states.push(state));
  const submit = (elsewhere: boolean) => gate.submit(voiceMessage(), { wanted: true }, () => elsewhere);
  await rig.asterisk.die();
  await until(() => !gate.admits('voice'));
  assert.deepEqual(await submit(true), { kind: 'passed', reason: 'no link' });
  const waiting = submit(false);
  await rig.asterisk.start();
  assert.deepEqual(await waiting, { kind: 'delivered' });
  assert.deepEqual(states, []);
});

test('a call that was given up is hung up when it is answered', async () => {
  await using asterisk = await new AriPeer().start();
  await using rig = await startLink(asterisk, { graceMs: 5_000, beatMs: 5_000 });
  asterisk.fate = () => {};
  const { channel } = rig.link.open();
  asterisk.override = (method) => (method === 'DELETE' ? 500 : undefined);
  await rig.rest('POST', `/channels/${channel}`, { app: rig.link.app });
  await rig.link.close(channel);
  assert.equal(asterisk.channels, 1, 'it was not hung up');
  asterisk.override = () => undefined;
  asterisk.calls[0]?.answer();
  await until(() => asterisk.channels === 0);
});

test('a wrong password is logged, without the password, and calls fail over', async () => {
  await using rig = await startRig({ password: 'not-the-one' });
  await until(() => rig.shown.some((text) => text.includes('user or password refused')));
  assert.equal((await rig.submit()).kind, 'temporary');
  assert.ok(!rig.shown.some((text) => text.includes('not-the-one')));
});

test('each process has its own name', async () => {
  await using asterisk = await new AriPeer().start();
  await using one = await startLink(asterisk, quick);
  const rest = createRest(SYSTEM_CLOCK, { url: asterisk.url, user: 'otp', password: 'secret' });
  const two = new AriLink({ url: asterisk.url, user: 'otp', password: 'secret' }, rest, {
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    log: () => {},
    onUp: () => {},
  });
  assert.notEqual(one.link.app, two.app);
});
