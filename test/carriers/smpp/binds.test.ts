/** What a link is bound for and with, and how texts are written, as an SMSC sees them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { generate } from 'selfsigned';
import { findSmppFault } from '../../../src/carriers/smpp/fault.ts';
import { smppOptions } from '../../../src/carriers/smpp/options.ts';
import { decodeOptions } from '../options.ts';
import { bound, createRig, freshNumber, inTime, messageTo, type Rig, type RigOptions, until } from './rig.ts';
import { Smsc, type SmscOptions } from './smsc.ts';

async function startSmsc(t: TestContext, options: SmscOptions = {}): Promise<Smsc> {
  const smsc = await new Smsc(options).start();
  t.after(() => smsc.stop());
  return smsc;
}

function start(t: TestContext, options: RigOptions): Rig {
  const rig = createRig(options);
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  return rig;
}

const submit = ({ carrier }: Rig, text?: string) => carrier.submit(messageTo(freshNumber(), text), inTime());

it('sends over transmitters and hears over one receiver', async (t) => {
  const smsc = await startSmsc(t);
  const rig = start(t, { port: smsc.port, bind: 'separate', links: 2 });
  await until(() => smsc.sessions.size === 3);
  await until(async () => (await rig.carrier.check()).ok);
  await until(async () => (await rig.carrier.check()).detail === '2 of 2 links bound');
  assert.deepEqual(smsc.bindings.map(([command]) => command).toSorted(), [
    'bind_receiver',
    'bind_transmitter',
    'bind_transmitter',
  ]);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => submit(rig)));
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
  await until(() => rig.receipts.length === 10);
  assert.equal(await smsc.say('4915112345678', Buffer.from('STOP')), 0);
  assert.equal(rig.heard.length, 1);
});

it('goes on sending while the receiver is down, says so, and hears of it all once it is up', async (t) => {
  const refuses = new Set(['bind_receiver']);
  const smsc = await startSmsc(t, { refuses });
  const rig = start(t, { port: smsc.port, bind: 'separate' });
  await until(() =>
    rig.log.some(({ level, reason }) => level === 'error' && reason === 'bind: ESME_RBINDFAIL'),
  );
  await until(() => rig.carrier.link?.trouble === undefined);
  assert.equal((await submit(rig)).kind, 'accepted');
  const detail = '1 of 1 links bound, but no receipts come: receiver: bind: ESME_RBINDFAIL';
  assert.deepEqual(await rig.carrier.check(), { ok: false, detail });
  assert.deepEqual(rig.receipts, []);
  const trial = createRig({ port: smsc.port, bind: 'separate' }).carrier;
  assert.deepEqual(await trial.check(), { ok: false, detail: 'receiver: bind: ESME_RBINDFAIL' });

  refuses.clear();
  await until(() => rig.receipts.length === 1);
  await bound(rig.carrier);
  assert.deepEqual(await trial.check(), { ok: true, detail: 'transmitter and receiver bound and unbound' });
});

it('holds messages back while only the receiver is bound', async (t) => {
  const refuses = new Set(['bind_transmitter']);
  const smsc = await startSmsc(t, { refuses });
  const rig = start(t, { port: smsc.port, bind: 'separate' });
  await until(() => smsc.bindings.length >= 2 && rig.log.some(({ level }) => level === 'error'));
  assert.equal(rig.carrier.link?.trouble, 'bind: ESME_RBINDFAIL');
  assert.deepEqual(await submit(rig), { kind: 'temporary', reason: 'no bound link', link: 'down' });
  const { ok, detail } = await rig.carrier.check();
  assert.deepEqual([ok, detail], [false, '0 of 1 links bound: bind: ESME_RBINDFAIL']);
  refuses.clear();
  await bound(rig.carrier);
  assert.equal((await submit(rig)).kind, 'accepted');
});

it('loses the receiver and binds it again, while the transmitter stays', async (t) => {
  const smsc = await startSmsc(t);
  const rig = start(t, { port: smsc.port, bind: 'separate' });
  await bound(rig.carrier);
  for (const session of smsc.sessions) if (!smsc.transmitters.has(session)) session.destroy();
  await until(() => smsc.bindings.filter(([command]) => command === 'bind_receiver').length === 2);
  assert.equal((await submit(rig)).kind, 'accepted');
  await until(() => rig.receipts.length === 1);
  assert.equal(smsc.bindings.filter(([command]) => command === 'bind_transmitter').length, 1);
});

it('takes the receipts of a node that only transmits', async (t) => {
  const smsc = await startSmsc(t);
  const sender = start(t, { port: smsc.port, bind: 'transmitter' });
  await bound(sender.carrier);
  const outcome = await submit(sender);
  assert.ok(outcome.kind === 'accepted' && outcome.receiptFollows);
  const other = start(t, { port: smsc.port, bind: 'separate' });
  await until(() => other.receipts.length === 1);
  assert.ok(outcome.reference !== undefined && other.receipts[0]?.references.includes(outcome.reference));
  assert.deepEqual(sender.receipts, []);
});

it('tells version and address range as they are configured', async (t) => {
  const smsc = await startSmsc(t, { version: 0x33 });
  const range = { addressRange: '^4917', addressTon: 1, addressNpi: 8 };
  const old = { port: smsc.port, bind: 'separate', interfaceVersion: 0x33, ...range };
  assert.equal((await createRig(old).carrier.check()).ok, true);
  assert.deepEqual(smsc.bindings, [
    ['bind_transmitter', 0x33, 1, 8, '^4917'],
    ['bind_receiver', 0x33, 1, 8, '^4917'],
  ]);
  const newer = await createRig({ port: smsc.port }).carrier.check();
  assert.deepEqual(newer, { ok: false, detail: 'bind: ESME_RBINDFAIL' });
});

it('sends no sender if none is configured', async (t) => {
  const smsc = await startSmsc(t);
  const rig = start(t, { port: smsc.port, source: '' });
  await bound(rig.carrier);
  assert.equal((await submit(rig)).kind, 'accepted');
  assert.deepEqual([smsc.seen[0]?.from, smsc.seen[0]?.sourceTon], ['', 0]);
});

const LONG = `482913 is your code ${'x'.repeat(300)}`;

it('sends a long text whole as message_payload', async (t) => {
  const smsc = await startSmsc(t);
  const parameters = { tlvs: [{ tag: 0x1403, hex: '00ff' }] };
  const rig = start(t, { port: smsc.port, long: 'payload', ...parameters });
  await bound(rig.carrier);
  for (const text of [LONG, '482913']) assert.equal((await submit(rig, text)).kind, 'accepted');
  assert.deepEqual(
    smsc.seen.map(({ payload, text, registered, vendor }) => [payload, text, registered, vendor.get(0x1403)]),
    [
      [LONG, '', 1, '00ff'],
      [undefined, '482913', 1, '00ff'],
    ],
  );
  await until(() => rig.receipts.length === 2);
});

it('sends a long text in parts that parameters number', async (t) => {
  const smsc = await startSmsc(t);
  const rig = start(t, { port: smsc.port, long: 'sar' });
  await bound(rig.carrier);
  assert.equal((await submit(rig, LONG)).kind, 'accepted');
  assert.equal(smsc.seen.map(({ text }) => text).join(''), LONG);
  assert.deepEqual(
    smsc.seen.map(({ sar, udh, registered }) => [sar, udh, registered]),
    [1, 2, 3].map((number) => [[1, 3, number], '', number === 3 ? 1 : 0]),
  );
});

it('sends texts in the data_coding that is configured', async (t) => {
  const smsc = await startSmsc(t);
  const sent = ['482913 for Müller @ {Acme}', 'Код 482913'];
  for (const [gsm, ucs2] of [
    [0x03, 0x08],
    [0xf1, 0x08],
  ] as const) {
    const rig = start(t, { port: smsc.port, dataCoding: { gsm, ucs2 } });
    await bound(rig.carrier);
    for (const text of sent) assert.equal((await submit(rig, text)).kind, 'accepted');
    const seen = smsc.seen.splice(0);
    assert.deepEqual(
      seen.map(({ text, dataCoding }) => [text, dataCoding]),
      [
        [sent[0], gsm],
        [sent[1], ucs2],
      ],
    );
  }
});

it('shows its certificate to an SMSC that wants one, and reads the files again', async (t) => {
  const [server, client] = await Promise.all(
    ['smsc.test', 'esme.test'].map((value) =>
      generate([{ name: 'commonName', value }], {
        keySize: 2048,
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value }] }],
      }),
    ),
  );
  assert.ok(server !== undefined && client !== undefined);
  const folder = await mkdtemp(join(tmpdir(), 'smpp-'));
  t.after(() => rm(folder, { recursive: true }));
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => join(folder, `${name}.pem`));
  await Promise.all([
    writeFile(ca ?? '', server.cert),
    writeFile(cert ?? '', server.cert),
    writeFile(key ?? '', server.private),
  ]);
  const smsc = await startSmsc(t, { key: server.private, cert: server.cert, clientCa: client.cert });
  const { carrier } = createRig({ port: smsc.port, tls: { ca, servername: 'smsc.test', cert, key } });
  const without = createRig({ port: smsc.port, tls: { ca, servername: 'smsc.test' } }).carrier;
  assert.equal((await without.check()).ok, false);
  assert.equal((await carrier.check()).ok, false, 'a certificate of somebody else');
  await Promise.all([writeFile(cert ?? '', client.cert), writeFile(key ?? '', client.private)]);
  assert.deepEqual(await carrier.check(), { ok: true, detail: 'bound and unbound' });
});

const WRITTEN = { type: 'smpp', host: 'h', systemId: 'u', password: 'p', source: 'Acme' };
const faults: readonly (readonly [options: object, fault: string])[] = [
  [{ interfaceVersion: 0x35 }, 'interfaceVersion: 0x35 is not one of 0x33, 0x34, 0x50'],
  [{ interfaceVersion: 0x33 }, 'bind: SMPP 3.3 has no transceiver; set separate or transmitter'],
  [
    { interfaceVersion: 0x33, bind: 'separate', long: 'sar' },
    'long: SMPP 3.3 has no optional parameters, and sar needs them; set udh',
  ],
  [
    { interfaceVersion: 0x33, bind: 'separate', tlvs: [{ tag: 9, hex: '00' }] },
    'tlvs: SMPP 3.3 has no optional parameters',
  ],
  [{ dataCoding: { gsm: 0x04 } }, 'dataCoding.gsm: 0x04 is not one of 0x00, 0x01, 0x03, 0x11, 0xf1'],
  [{ dataCoding: { ucs2: 0x00 } }, 'dataCoding.ucs2: 0x00 is not one of 0x08, 0x19'],
  [{ tls: { cert: 'c' } }, 'tls.key: is missing, and cert needs it'],
  [{ tls: { key: 'k' } }, 'tls.cert: is missing, and key needs it'],
];

it('refuses options that do not fit each other', () => {
  const faultOf = (options: object) => findSmppFault(decodeOptions(smppOptions, { ...WRITTEN, ...options }));
  for (const [options, fault] of faults) assert.equal(faultOf(options), fault);
  for (const options of [
    {},
    { interfaceVersion: 0x33, bind: 'transmitter' },
    { interfaceVersion: 0x50, long: 'payload', tls: { cert: 'c', key: 'k' } },
    { dataCoding: { gsm: 0xf1, ucs2: 0x19 } },
  ]) {
    assert.equal(faultOf(options), null);
  }
});
