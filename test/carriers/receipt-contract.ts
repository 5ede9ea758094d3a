/** How every carrier must read callbacks: genuine, repeated and forged ones. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type {
  Callback,
  CallbackAnswer,
  Carrier,
  CarrierPorts,
  Receipt,
} from '../../src/core/sending/carrier.ts';
import { CALLBACK_URL } from './contract.ts';
import { UNHEARD } from './ports.ts';

/** What a callback says about the message `r-1`. */
export type Event = 'delivered' | 'undelivered' | 'pending' | 'nonsense';

export interface ReceiptDriver {
  readonly name: string;
  /** A carrier named `gateway`, which never has to send anything. */
  create(ports: CarrierPorts): Carrier;
  /** The callback as the carrier itself would make it, signed at a time in Unix ms. */
  report(event: Event, url: string, at: number): Callback | Promise<Callback>;
  readonly undeliveredReason: string;
  /** What `delivered` says about the price and the network. */
  readonly stated?: Pick<Receipt, 'price' | 'network'>;
  /** What a person sent back from +4915112345678, as the carrier tells it; absent if it tells that elsewhere or not at all. */
  inbound?(text: string, url: string, at: number): Callback | Promise<Callback>;
  /** The same without its signature. */
  unsign(callback: Callback): Callback;
  /** Whether the signature covers the address that is called. */
  readonly coversUrl: boolean;
  /**
   * What the proof covers besides: all of the callback unless said otherwise. A `message` is what its own address names; a
   * secret that is sent along covers nothing.
   */
  readonly covers?: 'message' | 'nothing';
  /** Makes it about `r-2`, if the body does not say it in clear. */
  alter?(text: string): string;
  /** How old a signature may be; absent if the carrier signs no time. */
  readonly toleranceMs?: number;
}

export function receiptContract(driver: ReceiptDriver): void {
  suite(`receipts: ${driver.name}`, () => {
    const ports: CarrierPorts = {
      ...UNHEARD,
      callbackUrl: CALLBACK_URL,
    };
    const carrier = driver.create(ports);
    const read = async (callback: Callback | Promise<Callback>): Promise<CallbackAnswer | undefined> =>
      carrier.readCallback?.(await callback);
    const report = (event: Event, at = Date.now()) => driver.report(event, CALLBACK_URL, at);
    const receipt = { carrier: 'gateway', references: ['r-1'] };

    test('delivered', async () => {
      const receipts = [{ ...receipt, ...driver.stated, status: 'delivered' }];
      assert.deepEqual(await read(report('delivered')), { kind: 'receipts', receipts });
    });

    test('undelivered, with the reason', async () => {
      const receipts = [{ ...receipt, status: 'undelivered', reason: driver.undeliveredReason }];
      assert.deepEqual(await read(report('undelivered')), { kind: 'receipts', receipts });
    });

    test('a status that is not final is accepted, and says nothing', async () => {
      assert.deepEqual(await read(report('pending')), { kind: 'receipts', receipts: [] });
    });

    test('what counts is what it says, and not how it is labelled', async () => {
      const callback = await report('delivered');
      const { 'content-type': _, ...headers } = callback.headers;
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'Application/JSON; charset=utf8',
      ])
        assert.deepEqual(
          await read({ ...callback, headers: { ...headers, 'content-type': type } }),
          await read(callback),
          type,
        );
      assert.deepEqual(await read({ ...callback, headers }), await read(callback), 'without a label');
    });

    test('a repetition is read like the original', async () => {
      const callback = await report('delivered');
      assert.deepEqual(await read(callback), await read(callback));
    });

    test('nonsense that is signed is malformed', async () => {
      assert.equal((await read(report('nonsense')))?.kind, 'malformed');
    });

    test('what a person sends back', { skip: driver.inbound === undefined }, async () => {
      const said = async (text: string) => driver.inbound?.(text, CALLBACK_URL, Date.now());
      for (const text of ['STOP', 'Ça va?', '停止']) {
        const callback = await said(text);
        assert.ok(callback !== undefined);
        const message = { carrier: 'gateway', from: '+4915112345678', text };
        assert.deepEqual(await read(callback), { kind: 'messages', messages: [message] });
        assert.deepEqual(await read(driver.unsign(callback)), { kind: 'forged' });
      }
    });

    const forged = async (callback: Callback, what: string) =>
      assert.deepEqual(await read(callback), { kind: 'forged' }, what);

    test('forged: no signature', async () => {
      const callback = await report('delivered');
      await forged(driver.unsign(callback), 'unsigned');
      await forged({ ...callback, headers: {}, body: Buffer.alloc(0), url: CALLBACK_URL }, 'empty');
    });

    const { covers } = driver;
    test('forged: another body under the signature', { skip: covers === 'nothing' }, async () => {
      const callback = await report('delivered');
      const altered = driver.alter ?? ((text: string) => text.replaceAll('r-1', 'r-2'));
      const forgery = {
        ...callback,
        url: altered(callback.url),
        body: Buffer.from(altered(callback.body.toString())),
      };
      assert.notDeepEqual(forgery, callback);
      await forged(forgery, 'another reference');
      if (callback.body.length > 0 && covers === undefined)
        await forged({ ...callback, body: Buffer.alloc(0) }, 'no body');
    });

    test('forged: the signature of another callback', async (t) => {
      const [genuine, other] = [await report('delivered'), await report('undelivered')];
      if (isDeepStrictEqual(genuine.headers, other.headers))
        return t.skip('the signature is not in the headers');
      const mixed = { ...genuine, headers: other.headers, url: other.url };
      // Without a body, all but the signature is in the address.
      const forgery = isDeepStrictEqual(mixed, other) ? { ...genuine, headers: other.headers } : mixed;
      await forged(forgery, 'the signature of another');
    });

    test('forged: for another address', { skip: !driver.coversUrl }, async () => {
      const elsewhere = await driver.report(
        'delivered',
        'https://elsewhere.example.com/receipts',
        Date.now(),
      );
      await forged({ ...elsewhere, url: CALLBACK_URL }, 'another host');
      const { url, ...callback } = await report('delivered');
      await forged({ ...callback, url: `${url}?a=b` }, 'another query');
    });

    const { toleranceMs } = driver;
    test('forged: too old, or from the future', { skip: toleranceMs === undefined }, async () => {
      for (const offset of [-1.1, 1.1].map((factor) => factor * (toleranceMs ?? 0))) {
        await forged(await report('delivered', Date.now() + offset), `${offset} ms`);
      }
      const within = await report('delivered', Date.now() - (toleranceMs ?? 0) / 2);
      assert.equal((await read(within))?.kind, 'receipts');
    });

    test('any bytes with any headers are refused, and never throw', async () => {
      const { headers } = await report('delivered');
      const refused = covers === 'nothing' ? ['forged', 'malformed'] : ['forged'];
      for (const body of ['', '{', '[]', 'null', '\u0000', '%', 'a=b', '{"data":null}', '<xml/>']) {
        for (const method of ['GET', 'POST']) {
          const answer = await read({ method, url: CALLBACK_URL, headers, body: Buffer.from(body) });
          assert.ok(answer !== undefined && refused.includes(answer.kind), body);
        }
      }
    });

    test('if nothing can reach the service, no callback is read', () => {
      assert.equal(driver.create({ ...ports, callbackUrl: undefined }).readCallback, undefined);
    });
  });
}
