/** Receipts of SMSCs that do not follow the specification exactly. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Receipt } from '../../../src/core/sending/carrier.ts';
import { DELIVER_SM_RESP, pdu, RawSmsc, SUBMIT_SM } from './raw-smsc.ts';
import { bound, createRig, freshNumber, inTime, messageTo, until } from './rig.ts';
import { Smsc, type SmscOptions } from './smsc.ts';

const SENDER = '491570006';
/** ESME_RX_T_APPN: the SMSC is to send it again. */
const AGAIN = 0x64;

function receipt(sequence: number, text: string): Buffer {
  const octets = Buffer.from(text);
  const head = [Buffer.alloc(7), Buffer.from([4]), Buffer.alloc(8), Buffer.from([octets.length])];
  return pdu(0x05, 0, sequence, Buffer.concat([...head, octets]));
}

/** Sends a message to a telephone and returns its receipt, with the reference to expect. */
async function receiptOf(
  t: TestContext,
  receipts: SmscOptions['receipts'],
  to: string,
  options: object = {},
) {
  const smsc = await new Smsc({ receipts }).start();
  t.after(() => smsc.stop());
  const rig = createRig({ port: smsc.port, source: SENDER, ...options });
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  await bound(rig.carrier);
  const outcome = await rig.carrier.submit(messageTo(to), inTime());
  assert.ok(outcome.kind === 'accepted' && outcome.reference !== undefined);
  await until(() => smsc.receiptsAnswered.length > 0);
  const receipt: Receipt | undefined = rig.receipts[0];
  assert.ok(receipt === undefined || receipt.references.includes(outcome.reference));
  return { receipt, answered: smsc.receiptsAnswered };
}

it('recognises the telephone even if source and destination are not swapped and the sender is a number too', async (t) => {
  for (const style of ['unswapped', undefined] as const) {
    const to = freshNumber();
    const { receipt } = await receiptOf(t, style, to);
    assert.equal(receipt?.status, 'delivered');
    assert.deepEqual(receipt.recipients, [`+${to}`]);
  }
});

it('accepts receipts in data_sm, and answers them with data_sm_resp', async (t) => {
  for (const [ending, status] of [
    ['00', 'delivered'],
    ['99', 'undelivered'],
  ] as const) {
    const to = freshNumber(ending);
    const { receipt, answered } = await receiptOf(t, 'data_sm', to);
    assert.equal(receipt?.status, status);
    assert.deepEqual(receipt.recipients, [`+${to}`]);
    assert.deepEqual(answered, ['data_sm_resp']);
  }
});

it('hears what people send back, and answers once that is done', async (t) => {
  const smsc = await new Smsc({}).start();
  t.after(() => smsc.stop());
  const { carrier, heard, receipts } = createRig({ port: smsc.port, source: SENDER });
  t.after(() => carrier.stop());
  carrier.start();
  await bound(carrier);
  assert.equal(await smsc.say('4915112345678', Buffer.from('STOP')), 0);
  assert.equal(await smsc.say('4915112345678', Buffer.from('STOP', 'utf16le').swap16(), 8), 0);
  assert.deepEqual(
    heard.map(({ carrier, from, text }) => [carrier, from, text]),
    [
      ['smsc', '+4915112345678', 'STOP'],
      ['smsc', '+4915112345678', 'STOP'],
    ],
  );
  assert.deepEqual(receipts, []);
});

it('has an SMSC say again what could not be done', async (t) => {
  const smsc = await new Smsc({}).start();
  t.after(() => smsc.stop());
  let failures = 1;
  const { carrier, heard } = createRig({ port: smsc.port, source: SENDER }, undefined, async () => {
    if (failures-- > 0) throw new Error('the disk is full');
  });
  t.after(() => carrier.stop());
  carrier.start();
  await bound(carrier);
  assert.equal(await smsc.say('4915112345678', Buffer.from('STOP')), AGAIN);
  assert.deepEqual(heard, []);
  assert.equal(await smsc.say('4915112345678', Buffer.from('STOP')), 0);
  assert.equal(heard.length, 1);
});

it('has an SMSC send again what is more than can be stored at once', async (t) => {
  const smsc = await new RawSmsc(() => undefined).start();
  t.after(() => smsc.stop());
  const stored = Promise.withResolvers<void>();
  const rig = createRig({ port: smsc.port }, () => stored.promise);
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  await bound(rig.carrier);
  const atOnce = 5_000;
  const receipts = Array.from({ length: atOnce + 1 }, (_, n) => receipt(n + 1, `id:${n} stat:DELIVRD`));
  smsc.write(Buffer.concat(receipts));
  const answers = () => smsc.received.filter(({ command }) => command === DELIVER_SM_RESP);
  await until(() => answers().length > 0);
  assert.deepEqual(
    answers().map(({ status, sequence }) => [status, sequence]),
    [[AGAIN, atOnce + 1]],
  );
  stored.resolve();
  await until(() => answers().length > atOnce);
  assert.equal(answers().filter(({ status }) => status === 0).length, atOnce);
  assert.equal(rig.receipts.length, atOnce);
});

it('counts receipts that cannot be read, and no others', async (t) => {
  const smsc = await new RawSmsc(() => undefined).start();
  t.after(() => smsc.stop());
  const rig = createRig({ port: smsc.port });
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  await bound(rig.carrier);
  const texts = ['id:1 stat:DELIVRD', 'id:2 stat:ENROUTE', 'id:3', 'stat:DELIVRD', 'hello'];
  const broken = pdu(0x05, 0, texts.length + 1, Buffer.from('no end'));
  smsc.write(Buffer.concat([...texts.map((text, index) => receipt(index + 1, text)), broken]));
  await until(() => smsc.count(DELIVER_SM_RESP) === texts.length + 1);
  assert.equal(rig.receipts.length, 1);
  assert.deepEqual(
    rig.unusable,
    Array.from({ length: 4 }, () => 'smsc unreadable'),
  );
});

it('takes an unmarked text for a receipt only if it is configured to', async (t) => {
  const taken = await receiptOf(t, 'unmarked', freshNumber('99'), { unmarkedReceipts: true });
  assert.equal(taken.receipt?.status, 'undelivered');
  const untold = await receiptOf(t, 'unmarked', freshNumber('99'));
  assert.equal(untold.receipt, undefined);
  assert.deepEqual(untold.answered, ['deliver_sm_resp']);
});

it('answers a submit before it reports the receipt that came together with the response', async (t) => {
  const smsc = await new RawSmsc((socket, { command, sequence }) => {
    if (command !== SUBMIT_SM) return undefined;
    const response = pdu(0x8000_0004, 0, sequence, Buffer.from('77\0'));
    socket.write(Buffer.concat([response, receipt(1, 'id:77 stat:DELIVRD')]));
    return undefined;
  }).start();
  t.after(() => smsc.stop());
  const order: string[] = [];
  const rig = createRig({ port: smsc.port }, async () => {
    order.push('receipt');
  });
  t.after(() => rig.carrier.stop());
  rig.carrier.start();
  await bound(rig.carrier);
  const { kind } = await rig.carrier.submit(messageTo(freshNumber()), inTime());
  order.push(kind);
  await until(() => order.includes('receipt'));
  assert.deepEqual(order, ['accepted', 'receipt']);
});
