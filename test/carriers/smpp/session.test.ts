/** An SMSC that has forgotten the session although the connection stands (SMPP 3.4, sections 2.2 and 5.1.3). */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { startFlow } from './flow.ts';
import { BIND_TRANSCEIVER, ENQUIRE_LINK, GENERIC_NACK, pdu, RawSmsc, SUBMIT_SM } from './raw-smsc.ts';
import { bound, createRig, freshNumber, inTime, messageTo, type Rig, type RigOptions, until } from './rig.ts';
import { Smsc, type SmscOptions } from './smsc.ts';

const NOT_BOUND = 'the SMSC has forgotten the session: submit_sm, ESME_RINVBNDSTS';
const ENQUIRE_LINK_RESP = 0x8000_0015;
const SUBMIT_SM_RESP = 0x8000_0004;

async function startSmsc(t: TestContext, options: SmscOptions): Promise<Smsc> {
  const smsc = await new Smsc(options).start();
  t.after(() => smsc.stop());
  return smsc;
}

async function startRaw(t: TestContext, handle: ConstructorParameters<typeof RawSmsc>[0]): Promise<RawSmsc> {
  const smsc = await new RawSmsc(handle).start();
  t.after(() => smsc.stop());
  return smsc;
}

function start(t: TestContext, options: RigOptions): Rig {
  const rig = createRig(options);
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  return rig;
}

const submit = ({ carrier }: Rig) => carrier.submit(messageTo(freshNumber('88')), inTime());
const losses = ({ log }: Rig) => log.filter(({ message }) => message === 'link down');

it('binds again once a message is answered with ESME_RINVBNDSTS, and says so once', async (t) => {
  const forgets = new Set(['submit_sm']);
  const smsc = await startSmsc(t, { forgets });
  const rig = start(t, { port: smsc.port });
  await bound(rig.carrier);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => submit(rig)));
  forgets.clear();
  const untaken = { kind: 'temporary', reason: NOT_BOUND, link: 'down' };
  assert.deepEqual(
    outcomes,
    outcomes.map(() => untaken),
  );
  await until(() => smsc.binds.length === 2);
  await bound(rig.carrier);
  assert.equal((await submit(rig)).kind, 'accepted');
  assert.deepEqual(
    losses(rig).map(({ reason }) => reason),
    [NOT_BOUND],
  );
});

it('sends every message once, however often the session is forgotten meanwhile', async (t) => {
  const forgets = new Set<string>();
  const smsc = await startSmsc(t, { forgets, responseMs: 5 });
  const { carrier } = start(t, { port: smsc.port });
  await bound(carrier);
  await using flow = await startFlow([carrier]);
  const ids: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    ids.push(...(await flow.send(Array.from({ length: 20 }, () => freshNumber('88')))));
    forgets.add('submit_sm');
    const before = smsc.forgotten;
    ids.push(...(await flow.send([freshNumber('88')])));
    await until(() => smsc.forgotten > before);
    forgets.clear();
    await flow.emptied();
  }
  assert.deepEqual(flow.taken.toSorted(), ids.toSorted());
  assert.deepEqual(flow.states, [], 'the breaker stays closed');
});

const refusals: readonly (readonly [string, (sequence: number) => Buffer, string])[] = [
  ['ESME_RINVBNDSTS', (sequence) => pdu(ENQUIRE_LINK_RESP, 0x04, sequence), 'ESME_RINVBNDSTS'],
  ['ESME_RSYSERR', (sequence) => pdu(ENQUIRE_LINK_RESP, 0x08, sequence), 'ESME_RSYSERR'],
  ['generic_nack', (sequence) => pdu(GENERIC_NACK, 0x03, sequence), 'ESME_RINVCMDID'],
];
for (const [name, answer, status] of refusals) {
  it(`binds again once enquire_link is answered with ${name}`, async (t) => {
    const smsc = await startRaw(t, (socket, { command, sequence }) => {
      if (command === ENQUIRE_LINK) socket.write(answer(sequence));
      return undefined;
    });
    const rig = start(t, { port: smsc.port, enquireLink: '100ms' });
    await until(() => smsc.count(BIND_TRANSCEIVER) > 1);
    assert.equal(losses(rig)[0]?.reason, `the SMSC has forgotten the session: enquire_link, ${status}`);
    const trial = await createRig({ port: smsc.port }).carrier.check();
    assert.deepEqual(trial, {
      ok: false,
      detail: `the SMSC has forgotten the session: enquire_link, ${status}`,
    });
  });
}

it('keeps a link whose enquire_link is throttled', async (t) => {
  const smsc = await startRaw(t, (socket, { command, sequence }) => {
    if (command === ENQUIRE_LINK) socket.write(pdu(ENQUIRE_LINK_RESP, 0x58, sequence));
    return undefined;
  });
  start(t, { port: smsc.port, enquireLink: '100ms' });
  await until(() => smsc.count(ENQUIRE_LINK) > 2);
  assert.equal(smsc.connections, 1);
});

/** Asks about the link itself at each message, so that it is heard. Messages are answered as `answer` says. */
function startTalking(t: TestContext, answer: (response: Buffer) => Buffer | undefined): Promise<RawSmsc> {
  return startRaw(t, (socket, { command, sequence }) => {
    if (command !== SUBMIT_SM) return undefined;
    socket.write(pdu(ENQUIRE_LINK, 0, sequence));
    const octets = answer(pdu(SUBMIT_SM_RESP, 0, sequence, Buffer.from('1\0')));
    if (octets !== undefined) socket.write(octets);
    return undefined;
  });
}

it('binds again once no message has been answered for three times the response timeout', async (t) => {
  const smsc = await startTalking(t, () => undefined);
  const rig = start(t, { port: smsc.port, responseTimeout: '100ms' });
  await bound(rig.carrier);
  // One after the other, so that the third is late three timeouts after the first was sent.
  for (let count = 0; count < 3; count += 1) assert.equal((await submit(rig)).kind, 'temporary');
  await until(() => smsc.connections > 1);
  assert.deepEqual(
    losses(rig).map(({ reason }) => reason),
    ['the SMSC answers no submit_sm'],
  );
});

it('keeps a link whose messages are answered late', async (t) => {
  let late: Buffer | undefined;
  const smsc = await startTalking(t, (response) => {
    // The answer to each message comes with the next one.
    const before = late;
    late = response;
    return before;
  });
  const rig = start(t, { port: smsc.port, responseTimeout: '100ms' });
  await bound(rig.carrier);
  for (let count = 0; count < 8; count += 1) await submit(rig);
  assert.equal(smsc.connections, 1);
});

it('waits longer each time for an SMSC that binds and forgets', async (t) => {
  const smsc = await startSmsc(t, { forgets: new Set(['submit_sm']) });
  const rig = start(t, { port: smsc.port, times: { reconnectMin: 10, reconnectMax: 3_600_000 } });
  while (losses(rig).length < 4) {
    await bound(rig.carrier);
    // Longer than the first wait: a link is not good for having stood.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await submit(rig);
  }
  for (const [index, { retryMs }] of losses(rig).entries()) {
    const longest = 10 * 2 ** index;
    assert.ok(Number(retryMs) >= longest / 2 && Number(retryMs) <= longest, `${retryMs} ms`);
  }
});

it('refuses the one message at which a session that takes others ends', async (t) => {
  const poison = '482913 is poison';
  const smsc = await startSmsc(t, { forgets: new Set([poison]), responseMs: 2 });
  const { carrier } = start(t, { port: smsc.port });
  await bound(carrier);
  await using flow = await startFlow([carrier]);
  const numbers = () => Array.from({ length: 30 }, () => freshNumber('88'));
  const [before, [id = ''], after] = await Promise.all([
    flow.send(numbers()),
    flow.send([freshNumber('88')], poison),
    flow.send(numbers()),
  ]);
  const others = [...before, ...after];
  // Only a link that has carried others shows that it is the message.
  while (!flow.triesOf(id).some((each) => each.endsWith('forgets the session at this message'))) {
    others.push(...(await flow.send([freshNumber('88')])));
    await until(() => flow.taken.length >= others.length);
  }
  await flow.emptied();
  assert.deepEqual(flow.taken.toSorted(), others.toSorted());
});

it('binds transmitter and receiver again, each when its own session is forgotten', async (t) => {
  const forgets = new Set<string>();
  const smsc = await startSmsc(t, { forgets });
  const rig = start(t, { port: smsc.port, bind: 'separate', enquireLink: '100ms' });
  await bound(rig.carrier);
  const binds = (command: string) => smsc.bindings.filter(([each]) => each === command).length;
  forgets.add('enquire_link');
  await until(() => binds('bind_receiver') > 1 && binds('bind_transmitter') > 1);
  forgets.clear();
  await bound(rig.carrier);
  forgets.add('submit_sm');
  const before = binds('bind_transmitter');
  assert.equal((await submit(rig)).kind, 'temporary');
  forgets.clear();
  await until(() => binds('bind_transmitter') > before);
  await bound(rig.carrier);
  assert.equal((await submit(rig)).kind, 'accepted');
});
