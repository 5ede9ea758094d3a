/** Against an SMSC that others wrote; `peer.ts` says which one. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Peer, startPeer } from './peer.ts';
import { bound, createRig, freshNumber, inTime, messageTo, type Rig, until } from './rig.ts';

describe('SMPP carrier and an SMSC', () => {
  let peer: Peer;
  let rig: Rig;
  const create = (options: object) => createRig({ host: peer.host, port: peer.port, ...options });
  const submit = (digits: string, text?: string) => rig.carrier.submit(messageTo(digits, text), inTime());

  before(async () => {
    peer = await startPeer();
    rig = create({ receipts: true });
    rig.carrier.start();
    await bound(rig.carrier);
  });
  after(async () => {
    await rig.carrier.stop();
    await peer.stop();
  });

  it('checks credentials with a trial bind', async () => {
    assert.deepEqual(await create({}).carrier.check(), { ok: true, detail: 'bound and unbound' });
    const detail = 'transmitter and receiver bound and unbound';
    assert.deepEqual(await create({ bind: 'separate' }).carrier.check(), { ok: true, detail });
    const wrong = await create({ password: 'wrong' }).carrier.check();
    assert.deepEqual(wrong, { ok: false, detail: 'bind: ESME_RINVPASWD' });
  });

  it('says so and sends nothing while its password is refused', async () => {
    const { carrier, log } = create({ password: 'wrong' });
    carrier.start();
    await until(() => log.length > 0);
    assert.equal(log[0]?.level, 'error');
    assert.equal(log[0]?.reason, 'bind: ESME_RINVPASWD');
    assert.deepEqual(await carrier.submit(messageTo(freshNumber()), inTime()), {
      kind: 'temporary',
      reason: 'no bound link',
      link: 'down',
    });
    assert.equal((await carrier.check()).ok, false);
    await carrier.stop();
  });

  const texts: [name: string, text: string, dataCoding: number, parts: number][] = [
    ['GSM-7', '482913 is your code', 0, 1],
    ['GSM-7 with @ and accents', '@482913: Ihr Code für Müller & Söhne, è à ñ Ω £¥', 0, 1],
    ['GSM-7 with its extension', '482913 {[€|~^\\]}', 0, 1],
    ['160 septets', '€'.repeat(80), 0, 1],
    ['UCS-2', 'Код: 482913 — 验证码', 8, 1],
    ['UCS-2 with emoji', '482913 🔐 ваш код', 8, 1],
    ['161 septets, in parts', `${'x'.repeat(152)}€${'y'.repeat(7)}`, 0, 2],
    ['71 UCS-2 units, in parts', `${'ж'.repeat(66)}🔐жжж`, 8, 2],
  ];
  for (const [name, text, dataCoding, parts] of texts) {
    it(`carries a text intact: ${name}`, async () => {
      const to = freshNumber();
      assert.equal((await submit(to, text)).kind, 'accepted');
      const seen = await peer.read(to);
      if (seen === undefined) return;
      assert.equal(seen.map((message) => message.text).join(''), text);
      assert.deepEqual(
        seen.map((message) => message.dataCoding),
        Array.from({ length: parts }, () => dataCoding),
      );
      assert.equal(seen[0]?.from, 'Acme');
    });
  }

  for (const [ending, status] of [
    ['00', 'delivered'],
    ['99', 'undelivered'],
  ] as const) {
    it(`reports ${status} with the reference and the recipient`, async () => {
      const to = freshNumber(ending);
      const outcome = await submit(to);
      assert.equal(outcome.kind, 'accepted');
      const receiptOf = () => rig.receipts.find(({ recipients }) => recipients?.includes(`+${to}`));
      await until(() => receiptOf() !== undefined);
      assert.equal(receiptOf()?.status, status);
      assert.ok(outcome.kind === 'accepted' && outcome.reference !== undefined);
      assert.ok(receiptOf()?.references.includes(outcome.reference));
    });
  }

  it('requests no receipt if none is wanted', async () => {
    const silent = create({ receipts: false });
    silent.carrier.start();
    await bound(silent.carrier);
    const to = freshNumber();
    const outcome = await silent.carrier.submit(messageTo(to), inTime());
    assert.deepEqual(outcome, { kind: 'accepted' });
    await silent.carrier.stop();
  });

  it('reports a refused number as permanent', async () => {
    assert.deepEqual(await submit('0123456789'), { kind: 'permanent', reason: 'ESME_RINVDSTADR' });
  });

  it('is told to slow down, and sends the message the second time', async () => {
    const to = freshNumber('77');
    assert.deepEqual(await submit(to), {
      kind: 'temporary',
      reason: 'ESME_RTHROTTLED',
      throttled: true,
    });
    assert.equal((await submit(to)).kind, 'accepted');
  });

  it('survives a connection dropped after submit_sm', async () => {
    const lost = await submit(freshNumber('66'));
    const reason = 'connection lost after submit_sm';
    assert.deepEqual(lost, { kind: 'temporary', reason, link: 'lost' });
    await bound(rig.carrier);
    assert.equal((await submit(freshNumber())).kind, 'accepted');
  });

  it('sends 2,000 messages at once through one link', async () => {
    const { carrier, receipts } = create({ window: 50 });
    carrier.start();
    await bound(carrier);
    const numbers = Array.from({ length: 2_000 }, () => freshNumber('88'));
    const outcomes = await Promise.all(
      numbers.map((digits) => carrier.submit(messageTo(digits), inTime(20_000))),
    );
    assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['accepted']));
    const references = new Set(outcomes.map((outcome) => outcome.kind === 'accepted' && outcome.reference));
    assert.equal(references.size, 2_000);
    assert.ok(receipts.every(({ recipients }) => !recipients?.some((number) => number.endsWith('88'))));
    await carrier.stop();
  });

  it('sends over a transmitter, and hears over any receiver of the account', async () => {
    const separate = create({ bind: 'separate' });
    separate.carrier.start();
    await bound(separate.carrier);
    const to = freshNumber();
    assert.equal((await separate.carrier.submit(messageTo(to), inTime())).kind, 'accepted');
    await until(() =>
      [...rig.receipts, ...separate.receipts].some(({ recipients }) => recipients?.includes(`+${to}`)),
    );
    await separate.carrier.stop();
  });

  it('spreads messages over several links', async () => {
    const { carrier } = create({ links: 3 });
    assert.equal(carrier.concurrency, 30);
    carrier.start();
    await until(async () => (await carrier.check()).detail === '3 of 3 links bound');
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => carrier.submit(messageTo(freshNumber('88')), inTime())),
    );
    assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
    await carrier.stop();
  });
});
