/** What happens to messages when the SMSC or the network fails. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { freePort } from '../../free-port.ts';
import {
  BIND_TRANSCEIVER,
  DATA_SM_RESP,
  DELIVER_SM_RESP,
  ENQUIRE_LINK,
  GENERIC_NACK,
  pdu,
  RawSmsc,
  SUBMIT_SM,
} from './raw-smsc.ts';
import { bound, createRig, freshNumber, inTime, messageTo, type Rig, type RigOptions, until } from './rig.ts';
import { Smsc } from './smsc.ts';

/** For an SMSC that stays silent. What it has to answer gets more time: its answer waits where the machine stands still. */
const fast = { responseTimeout: '100ms', enquireLink: '100ms' };

async function rawSmsc(t: TestContext, handle: ConstructorParameters<typeof RawSmsc>[0]): Promise<RawSmsc> {
  const smsc = await new RawSmsc(handle).start();
  t.after(() => smsc.stop());
  return smsc;
}

async function started(t: TestContext, options: RigOptions): Promise<Rig> {
  const rig = createRig(options);
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  await bound(rig.carrier);
  return rig;
}

it('reconnects by itself when the SMSC was away', async (t) => {
  const first = await new Smsc({ port: await freePort() }).start();
  const { carrier } = await started(t, { port: first.port });
  await first.stop();
  await until(async () => !(await carrier.check()).ok);
  const away = await carrier.submit(messageTo(freshNumber()), inTime());
  assert.deepEqual(away, { kind: 'temporary', reason: 'no bound link', link: 'down' });

  const second = await new Smsc({ port: first.port }).start();
  t.after(() => second.stop());
  await bound(carrier);
  assert.equal((await carrier.submit(messageTo(freshNumber()), inTime())).kind, 'accepted');
});

it('says which address refused the connection if nothing listens', async () => {
  const smsc = await new Smsc({ port: await freePort() }).start();
  await smsc.stop();
  const { carrier } = createRig({ port: smsc.port });
  assert.deepEqual(await carrier.check(), { ok: false, detail: 'ECONNREFUSED' });
});

it('gives up a submit that is never answered, but keeps the link', async (t) => {
  const smsc = await rawSmsc(t, (socket, { command, sequence }) => {
    if (command === ENQUIRE_LINK) socket.write(pdu(0x8000_0015, 0, sequence));
    return undefined;
  });
  const { carrier } = await started(t, { port: smsc.port, ...fast, responseTimeout: '2s' });
  const outcome = await carrier.submit(messageTo(freshNumber()), inTime());
  assert.deepEqual(outcome, { kind: 'temporary', reason: 'no answer in time', unclear: true });
  await until(() => smsc.count(ENQUIRE_LINK) > 1);
  assert.equal(smsc.connections, 1);
});

it('detects a half-open link with enquire_link, and replaces it', async (t) => {
  const smsc = await rawSmsc(t, () => undefined);
  const { log } = await started(t, { port: smsc.port, ...fast });
  await until(() => smsc.connections > 1);
  assert.deepEqual(
    log.filter(({ level }) => level === 'warn').map(({ reason }) => reason)[0],
    'no answer to enquire_link',
  );
});

it('checks a link that left a submit unanswered and has been silent since', async (t) => {
  const smsc = await rawSmsc(t, () => undefined);
  const { carrier } = await started(t, { port: smsc.port, ...fast, enquireLink: '1h' });
  assert.equal((await carrier.submit(messageTo(freshNumber()), inTime())).kind, 'temporary');
  await until(() => smsc.connections > 1);
  assert.equal(smsc.count(ENQUIRE_LINK), 1);
});

it('does not wait for an SMSC that never answers the bind', async (t) => {
  const smsc = await rawSmsc(t, () => 'answered');
  const { carrier } = createRig({ port: smsc.port, times: { bindTimeout: 200 } });
  assert.deepEqual(await carrier.check(), { ok: false, detail: 'bind: no answer to bind_transceiver' });
});

it('stops while connecting, while binding and while waiting to reconnect', async (t) => {
  const mute = await rawSmsc(t, () => 'answered');
  const binding = createRig({ port: mute.port, times: { bindTimeout: 3_600_000 } }).carrier;
  binding.start();
  await until(() => mute.count(BIND_TRANSCEIVER) > 0);
  await binding.stop();

  const connecting = createRig({ port: mute.port }).carrier;
  connecting.start();
  await connecting.stop();

  const refusing = await rawSmsc(t, (socket) => {
    socket.destroy();
    return 'answered';
  });
  const waiting = createRig({
    port: refusing.port,
    times: { reconnectMin: 3_600_000, reconnectMax: 3_600_000 },
  });
  waiting.carrier.start();
  await until(() => waiting.log.length > 0);
  await waiting.carrier.stop();
});

it('stops in time even if the SMSC ignores unbind', { timeout: 8_000 }, async (t) => {
  const smsc = await rawSmsc(t, () => undefined);
  const { carrier } = createRig({ port: smsc.port, responseTimeout: '1h' });
  carrier.start();
  await bound(carrier);
  await carrier.stop();
  assert.equal((await carrier.check()).ok, false);
});

it('waits longest after its credentials were refused', async (t) => {
  const smsc = await rawSmsc(t, (socket, { sequence }) => {
    socket.write(pdu(0x8000_0009, 0x0e, sequence));
    return 'answered';
  });
  const { carrier, log } = createRig({
    port: smsc.port,
    times: { reconnectMin: 1, reconnectMax: 3_600_000 },
  });
  t.after(() => carrier.stop());
  carrier.start();
  await until(() => log.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(smsc.count(BIND_TRANSCEIVER), 1);
  assert.equal(log.length, 1);
});

it('waits longer each time for an SMSC that binds a link only to drop it', async (t) => {
  const smsc = await rawSmsc(t, (socket, { command, sequence }) => {
    if (command !== BIND_TRANSCEIVER) return undefined;
    socket.end(pdu(0x8000_0009, 0, sequence, Buffer.from('smsc\0')));
    return 'answered';
  });
  // A link that stands for as long as this is no such one, whatever holds up the end that it was told.
  const { carrier, log } = createRig({
    port: smsc.port,
    times: { reconnectMin: 500, reconnectMax: 3_600_000 },
  });
  t.after(() => carrier.stop());
  const waits = () =>
    log.filter(({ message }) => message === 'link down').map(({ retryMs }) => Number(retryMs));
  carrier.start();
  await until(() => waits().length === 4);
  for (const [index, wait] of waits().entries()) {
    const longest = 500 * 2 ** index;
    assert.ok(wait >= longest / 2 && wait <= longest, `${wait} ms`);
  }
  assert.equal(smsc.count(BIND_TRANSCEIVER), 4);
});

it('settles when the deadline is reached, sent or not', async (t) => {
  const submits: (() => void)[] = [];
  const smsc = await rawSmsc(t, (socket, { command, sequence }) => {
    if (command === SUBMIT_SM) submits.push(() => socket.write(pdu(0x8000_0004, 0, sequence)));
    return undefined;
  });
  const { carrier } = await started(t, { port: smsc.port, window: 1 });
  const late = { kind: 'temporary', reason: 'deadline reached', unclear: true };
  const sent = carrier.submit(messageTo(freshNumber()), { signal: AbortSignal.timeout(30) });
  const waiting = carrier.submit(messageTo(freshNumber()), { signal: AbortSignal.timeout(30) });
  assert.deepEqual(await Promise.all([sent, waiting]), [late, late]);
  assert.deepEqual(await carrier.submit(messageTo(freshNumber()), { signal: AbortSignal.abort() }), late);
  await until(() => submits.length === 1);

  // The message sent keeps its place in the window until it is answered; the one that waited is never sent.
  const next = carrier.submit(messageTo(freshNumber()), inTime());
  submits[0]?.();
  await until(() => submits.length === 2);
  submits[1]?.();
  assert.deepEqual(await next, { kind: 'accepted' });
  assert.equal(submits.length, 2);
});

it('settles everything that waited when the last link is lost', async (t) => {
  const smsc = await rawSmsc(t, (socket, { command }) => {
    if (command === SUBMIT_SM) setImmediate(() => socket.destroy());
    return undefined;
  });
  const { carrier } = await started(t, {
    port: smsc.port,
    window: 1,
    times: { reconnectMin: 10_000, reconnectMax: 10_000 },
  });
  const outcomes = await Promise.all([1, 2, 3].map(() => carrier.submit(messageTo(freshNumber()), inTime())));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === 'temporary' && outcome.reason),
    ['connection lost after submit_sm', 'no bound link', 'no bound link'],
  );
});

it('goes on over the links that are left when one is lost', async (t) => {
  const submits: { readonly drop: () => void; readonly accept: () => void }[] = [];
  const smsc = await rawSmsc(t, (socket, { command, sequence }) => {
    const accept = () => void socket.write(pdu(0x8000_0004, 0, sequence));
    if (command === SUBMIT_SM) submits.push({ drop: () => void socket.destroy(), accept });
    return undefined;
  });
  const slow = { times: { reconnectMin: 10_000, reconnectMax: 10_000 } };
  const { carrier } = await started(t, { port: smsc.port, links: 2, window: 1, ...slow });
  await until(async () => (await carrier.check()).detail === '2 of 2 links bound');
  const submitted = [1, 2, 3].map(() => carrier.submit(messageTo(freshNumber()), inTime()));
  await until(() => submits.length === 2);
  submits[0]?.drop();
  // Of two links, either one may have been read first.
  assert.deepEqual(await Promise.race(submitted), { kind: 'temporary', ...LOST });
  assert.equal(carrier.link?.trouble, undefined);
  assert.deepEqual(await carrier.check(), { ok: true, detail: '1 of 2 links bound' });
  submits[1]?.accept();
  await until(() => submits.length === 3);
  submits[2]?.accept();
  const kinds = (await Promise.all(submitted)).map(({ kind }) => kind);
  assert.deepEqual(kinds.toSorted(), ['accepted', 'accepted', 'temporary']);
  assert.equal(kinds[2], 'accepted', 'the one that waited was on neither');
});

it('never says that nothing reached the SMSC if a part of the message did', async (t) => {
  const smsc = await rawSmsc(t, (socket, { command, sequence }) => {
    if (command !== SUBMIT_SM) return undefined;
    if (smsc.count(SUBMIT_SM) === 1) socket.write(pdu(0x8000_0004, 0, sequence));
    else setImmediate(() => socket.destroy());
    return undefined;
  });
  const slow = { times: { reconnectMin: 10_000, reconnectMax: 10_000 } };
  const { carrier } = await started(t, { port: smsc.port, window: 1, ...slow });
  const inParts = carrier.submit(messageTo(freshNumber(), 'x'.repeat(200)), inTime());
  const behind = carrier.submit(messageTo(freshNumber()), inTime());
  assert.deepEqual(await behind, { kind: 'temporary', ...LOST });
  assert.deepEqual(await inParts, { kind: 'temporary', reason: 'no bound link', link: 'lost' });
});

const LOST = { reason: 'connection lost after submit_sm', link: 'lost' };
const SILENT = { reason: 'no answer in time', unclear: true };
const SOON = { responseTimeout: '100ms' };
const answers: [name: string, answer: (sequence: number) => Buffer, failure: object][] = [
  ['generic_nack', (sequence) => pdu(GENERIC_NACK, 0x08, sequence), { reason: 'ESME_RSYSERR' }],
  ['generic_nack that says OK', (sequence) => pdu(GENERIC_NACK, 0, sequence), { reason: 'ESME_RUNKNOWNERR' }],
  [
    'status of its own',
    (sequence) => pdu(0x8000_0004, 0x401, sequence),
    { reason: 'command_status 0x00000401' },
  ],
  ['response to something else', (sequence) => pdu(0x8000_0015, 0, sequence), SILENT],
  ['response to another number', (sequence) => pdu(0x8000_0004, 0, sequence + 1), SILENT],
  ['impossible length', () => Buffer.alloc(16), LOST],
  ['huge length', () => Buffer.alloc(16, 0xff), LOST],
  ['half a PDU', (sequence) => pdu(0x8000_0004, 0, sequence).subarray(0, 11), SILENT],
];
for (const [name, answer, failure] of answers) {
  it(`never counts as accepted: ${name}`, async (t) => {
    const smsc = await rawSmsc(t, (socket, { command, sequence }) => {
      if (command === SUBMIT_SM) socket.write(answer(sequence));
      return undefined;
    });
    const { carrier } = await started(t, { port: smsc.port, ...(failure === SILENT && SOON) });
    const outcome = await carrier.submit(messageTo(freshNumber()), inTime());
    assert.deepEqual(outcome, { kind: 'temporary', ...failure });
  });
}

it('reports an impossible length to the SMSC, and binds again', async (t) => {
  const smsc = await rawSmsc(t, () => undefined);
  const { carrier } = await started(t, { port: smsc.port });
  smsc.write(Buffer.alloc(16, 0xff));
  await until(() => smsc.connections === 2);
  assert.ok(smsc.received.some(({ command, status }) => command === GENERIC_NACK && status === 0x02));
  await bound(carrier);
});

it('answers unknown commands with generic_nack, and a broken deliver_sm or data_sm with a permanent error', async (t) => {
  const smsc = await rawSmsc(t, () => undefined);
  const { receipts } = await started(t, { port: smsc.port });
  smsc.write(Buffer.concat([pdu(0x0111, 0, 7), pdu(0x05, 0, 8, Buffer.from('no end')), pdu(0x0103, 0, 9)]));
  await until(() => smsc.count(DATA_SM_RESP) === 1);
  const answers = smsc.received.filter(({ command }) => command >= GENERIC_NACK);
  assert.deepEqual(
    answers.map(({ command, status, sequence }) => [command, status, sequence]),
    [
      [GENERIC_NACK, 0x03, 7],
      [DELIVER_SM_RESP, 0x65, 8],
      [DATA_SM_RESP, 0x65, 9],
    ],
  );
  assert.equal(receipts.length, 0);
});

it('lets the SMSC unbind, and binds again', async (t) => {
  const smsc = await rawSmsc(t, () => undefined);
  const { log } = await started(t, { port: smsc.port });
  smsc.write(pdu(0x06, 0, 1));
  await until(() => smsc.connections === 2);
  assert.equal(smsc.count(0x8000_0006), 1);
  assert.ok(log.some(({ reason }) => reason === 'unbound by the SMSC'));
});

it('does not accept receipts during a trial bind: the SMSC has to send them again', async (t) => {
  const receipt = 'id:1 stat:DELIVRD';
  const body = Buffer.concat([
    Buffer.alloc(7),
    Buffer.from([4]),
    Buffer.alloc(8),
    Buffer.from([receipt.length]),
  ]);
  const smsc = await rawSmsc(t, (socket, { command, sequence }) => {
    if (command === ENQUIRE_LINK) socket.write(pdu(0x8000_0015, 0, sequence));
    if (command !== BIND_TRANSCEIVER) return undefined;
    const deliverSm = pdu(0x05, 0, 1, Buffer.concat([body, Buffer.from(receipt)]));
    socket.write(Buffer.concat([pdu(0x8000_0009, 0, sequence, Buffer.from('RAW\0')), deliverSm]));
    return 'answered';
  });
  const trial = createRig({ port: smsc.port });
  assert.equal((await trial.carrier.check()).ok, true);
  assert.equal(trial.receipts.length, 0);
  assert.deepEqual(
    smsc.received.filter(({ command }) => command === DELIVER_SM_RESP).map(({ status }) => status),
    [0x64],
  );

  const { receipts } = await started(t, { port: smsc.port });
  await until(() => receipts.length > 0);
});
