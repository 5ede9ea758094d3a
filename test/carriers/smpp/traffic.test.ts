/** Windows, rates, receipts and TLS, with an SMSC that reports what it saw. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { generate } from 'selfsigned';
import { type Deadline, NOT_WANTED, type Receipt } from '../../../src/core/sending/carrier.ts';
import { bound, createRig, freshNumber, inTime, messageTo, type Rig, type RigOptions, until } from './rig.ts';
import { Smsc, type SmscOptions } from './smsc.ts';

async function startSmsc(t: TestContext, options: SmscOptions = {}): Promise<Smsc> {
  const smsc = await new Smsc(options).start();
  t.after(() => smsc.stop());
  return smsc;
}

async function started(
  t: TestContext,
  options: RigOptions,
  receive?: (receipt: Receipt) => Promise<void>,
): Promise<Rig> {
  const rig = createRig(options, receive);
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  await bound(rig.carrier);
  return rig;
}

it('keeps to the window', async (t) => {
  const smsc = await startSmsc(t, { responseMs: 1 });
  const { carrier } = await started(t, { port: smsc.port, window: 20 });
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, () => carrier.submit(messageTo(freshNumber('88')), inTime())),
  );
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
  assert.equal(smsc.mostUnderWay, 20);
});

it('uses its links in turn', async (t) => {
  const smsc = await startSmsc(t, { responseMs: 1 });
  const { carrier } = await started(t, { port: smsc.port, links: 3 });
  await until(async () => (await carrier.check()).detail === '3 of 3 links bound');
  await Promise.all(Array.from({ length: 15 }, () => carrier.submit(messageTo(freshNumber('88')), inTime())));
  const counts = [1, 2, 3].map((link) => smsc.seen.filter(({ session }) => session === link).length);
  assert.deepEqual(counts, [5, 5, 5]);
});

it('marks parts with one header and asks for the receipt of the last', async (t) => {
  const smsc = await startSmsc(t);
  const { carrier, receipts } = await started(t, { port: smsc.port });
  const outcome = await carrier.submit(messageTo(freshNumber(), 'x'.repeat(307)), inTime());
  await until(() => receipts.length > 0);
  assert.deepEqual(
    smsc.seen.map(({ udh, text, registered }) => [udh, text.length, registered]),
    [
      ['0003010301', 153, 0],
      ['0003010302', 153, 0],
      ['0003010303', 1, 1],
    ],
  );
  assert.ok(outcome.kind === 'accepted' && receipts[0]?.references.includes(outcome.reference ?? '-'));
});

for (const [source, ton] of [
  ['Acme', 5],
  ['12345', 3],
  ['+491570006', 1],
] as const) {
  it(`sends from ${source} with type of number ${ton}`, async (t) => {
    const smsc = await startSmsc(t);
    const { carrier } = await started(t, { port: smsc.port, source });
    await carrier.submit(messageTo(freshNumber('88')), inTime());
    assert.equal(smsc.seen[0]?.from, source.replace('+', ''));
    assert.equal(smsc.seen[0]?.sourceTon, ton);
  });
}

it('may have to pay for a message of which the SMSC took a part', async (t) => {
  for (const [refusal, kind] of [
    [0x0b, 'permanent'],
    [0x58, 'temporary'],
  ] as const) {
    const smsc = await startSmsc(t, { refusal, accepts: 1 });
    const { carrier } = await started(t, { port: smsc.port });
    const outcome = await carrier.submit(messageTo(freshNumber('88'), 'x'.repeat(307)), inTime());
    assert.ok(outcome.kind === kind && outcome.unclear, outcome.kind);
    const short = await carrier.submit(messageTo(freshNumber('88')), inTime());
    assert.ok(short.kind === kind && !short.unclear, short.kind);
  }
});

it('sends no further part of a message that another node has taken over', async (t) => {
  const smsc = await startSmsc(t);
  const { carrier } = await started(t, { port: smsc.port });
  const deadline: Deadline = {
    ...inTime(),
    get wanted() {
      return smsc.seen.length === 0;
    },
  };
  const outcome = await carrier.submit(messageTo(freshNumber('88'), 'x'.repeat(307)), deadline);
  assert.deepEqual(outcome, { ...NOT_WANTED, unclear: true });
  assert.equal(smsc.seen.length, 1);
});

it('does not send a message that waited for room until another node had taken it over', async (t) => {
  const smsc = await startSmsc(t, { responseMs: 1 });
  const { carrier } = await started(t, { port: smsc.port, window: 1 });
  const late: Deadline = {
    ...inTime(),
    get wanted() {
      return smsc.seen.length === 0;
    },
  };
  const outcomes = await Promise.all([
    carrier.submit(messageTo(freshNumber('88')), inTime()),
    carrier.submit(messageTo(freshNumber('88')), late),
    carrier.submit(messageTo(freshNumber('88')), inTime()),
  ]);
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['accepted', 'temporary', 'accepted'],
  );
  assert.deepEqual(outcomes[1], NOT_WANTED);
  assert.equal(smsc.seen.length, 2);
});

it('tells the SMSC how long the code is valid, unless configured not to', async (t) => {
  const smsc = await startSmsc(t);
  const told = await started(t, { port: smsc.port });
  await told.carrier.submit({ ...messageTo(freshNumber('88')), expiresAt: Date.now() + 125_000 }, inTime());
  const untold = await started(t, { port: smsc.port, validity: false });
  await untold.carrier.submit(messageTo(freshNumber('88')), inTime());
  const [first, second] = smsc.seen;
  assert.ok(first?.validMs !== undefined && first.validMs > 110_000 && first.validMs <= 125_000);
  assert.equal(second?.validMs, undefined);
});

it('recognises receipts with a decimal id if submit_sm_resp had it in hex', async (t) => {
  const smsc = await startSmsc(t, { receiptId: (id) => String(id).padStart(10, '0') });
  const { carrier, receipts } = await started(t, { port: smsc.port });
  const outcome = await carrier.submit(messageTo(freshNumber()), inTime());
  await until(() => receipts.length > 0);
  assert.deepEqual(outcome, { kind: 'accepted', reference: 'ab01', receiptFollows: true });
  assert.ok(receipts[0]?.references.includes('ab01'));
});

it('answers a receipt only once it is stored; otherwise it comes again', async (t) => {
  const smsc = await startSmsc(t);
  let refusals = 2;
  const { carrier, receipts, log } = await started(t, { port: smsc.port }, async () => {
    refusals -= 1;
    if (refusals >= 0) throw new Error('disk full');
  });
  await carrier.submit(messageTo(freshNumber()), inTime());
  await until(() => receipts.length > 0);
  assert.equal(smsc.receiptsRefused, 2);
  assert.equal(log.filter(({ level }) => level === 'warn').length, 2);
});

it('slows down when told to', async (t) => {
  const smsc = await startSmsc(t);
  const { carrier } = await started(t, { port: smsc.port });
  const throttled = await carrier.submit(messageTo(freshNumber('77')), inTime());
  assert.equal(throttled.kind === 'temporary' && throttled.throttled, true);
  const before = smsc.seen.length;
  const numbers = Array.from({ length: 10 }, () => freshNumber('88'));
  const outcomes = numbers.map((digits) => carrier.submit(messageTo(digits), inTime()));
  // At full speed all ten leave together, before the first is answered.
  await outcomes[0];
  assert.ok(smsc.seen.length - before < 10);
  assert.ok((await Promise.all(outcomes)).every(({ kind }) => kind === 'accepted'));
});

it('speaks TLS only to an SMSC whose certificate it can verify', async (t) => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'smsc.test' }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'smsc.test' }] }],
  });
  const folder = await mkdtemp(join(tmpdir(), 'smpp-'));
  t.after(() => rm(folder, { recursive: true }));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, cert);
  const smsc = await startSmsc(t, { key, cert });

  const check = (tls: object) => createRig({ port: smsc.port, tls }).carrier.check();
  assert.deepEqual(await check({}), { ok: false, detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  assert.deepEqual(await check({ ca }), { ok: false, detail: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  assert.deepEqual(await check({ ca: join(folder, 'none') }), { ok: false, detail: 'ENOENT' });
  assert.equal((await check({ rejectUnauthorized: false })).ok, true);

  const tls = { ca, servername: 'smsc.test' };
  const { carrier, receipts } = await started(t, { port: smsc.port, tls });
  assert.equal((await carrier.submit(messageTo(freshNumber()), inTime())).kind, 'accepted');
  await until(() => receipts.length > 0);
});
