/** A real Kannel sends what the recipe hands it, letter by letter, and reports it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { composeMessage } from '../../src/core/message/message.ts';
import type { Carrier } from '../../src/core/sending/carrier.ts';
import { message } from '../carriers/contract.ts';
import { Smsc } from '../carriers/smpp/smsc.ts';
import { withCarrier } from './gateway-carrier.ts';
import { hasKannel, startKannel } from './kannel.ts';
import { filesOf } from './page.ts';

const skip = hasKannel ? false : 'NOT TESTED: there is no Kannel on this machine';
const FILES = filesOf('gateways.md');
const DOMAIN = 'a-long-name-of-a-shop.example.com';

/** The addresses that Kannel asks for. */
async function startReceipts(parts: AsyncDisposableStack) {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(`http://${headers.host}${url}`);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  parts.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { asked, url: `http://127.0.0.1:${address.port}/carriers/gateway/receipts` };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

async function withKannel(
  t: TestContext,
  use: (carrier: Carrier, smsc: Smsc, asked: readonly string[]) => Promise<void>,
  receipts?: 'wordless',
): Promise<void> {
  const parts = new AsyncDisposableStack();
  t.after(() => parts.disposeAsync());
  const smsc = parts.use(await new Smsc({ receipts }).start());
  const { asked, url } = await startReceipts(parts);
  const gateway = await startKannel(FILES.get('kannel.conf') ?? '', smsc.port, parts);
  await until(() => smsc.binds.includes(0));
  const recipe = FILES.get('kannel.yaml') ?? '';
  await withCarrier(recipe, { gateway, receipts: url }, (carrier) => use(carrier, smsc, asked));
}

async function submit(carrier: Carrier, address: string, text: string) {
  const destination = { address, kind: 'e164', country: 'DE' } as const;
  const outcome = await carrier.submit(
    { ...message, destination, text },
    { signal: AbortSignal.timeout(5_000) },
  );
  assert.ok(outcome.kind === 'accepted', outcome.kind);
  return outcome;
}

const reportOf = (carrier: Carrier, url: string) =>
  carrier.readCallback?.({ method: 'GET', url, headers: {}, body: Buffer.alloc(0) });

for (const locale of ['ar', 'el', 'en']) {
  test(`Kannel passes on the whole text (${locale})`, { skip, timeout: 30_000 }, async (t) => {
    const options = { brand: 'Acme & Söhne 100%', webOtpDomain: DOMAIN, locale };
    const facts = { channel: 'sms', code: message.code, country: 'DE', validForMs: 600_000 } as const;
    const { text } = composeMessage(options, facts);
    assert.ok(text.length > 70 && text.endsWith(`#${message.code}`), text);
    await withKannel(t, async (carrier, smsc, asked) => {
      const outcome = await submit(carrier, '+4915112345678', text);
      // The first part's receipt may come before the second part.
      await until(
        () => asked.length > 0 && smsc.seen.map((part) => part.text).join('').length >= text.length,
      );
      assert.equal(smsc.seen.map((part) => part.text).join(''), text);
      assert.ok(
        smsc.seen.length > 1 && smsc.seen.every(({ udh }) => udh !== ''),
        'in parts that belong together',
      );
      const receipts = [{ carrier: 'gateway', references: [outcome.reference], status: 'delivered' }];
      assert.deepEqual(await reportOf(carrier, asked[0] ?? ''), { kind: 'receipts', receipts });
    });
  });
}

async function assertUndelivered(
  carrier: Carrier,
  asked: readonly string[],
  number: string,
  type: string,
): Promise<void> {
  const before = asked.length;
  const outcome = await submit(carrier, number, message.text);
  await until(() => asked.length > before);
  const url = asked[before] ?? '';
  assert.equal(new URL(url).searchParams.get('status'), type);
  const receipts = [
    { carrier: 'gateway', references: [outcome.reference], status: 'undelivered', reason: type },
  ];
  assert.deepEqual(await reportOf(carrier, url), { kind: 'receipts', receipts });
}

test('Kannel reports what was not delivered', { skip, timeout: 30_000 }, async (t) => {
  await withKannel(t, async (carrier, _smsc, asked) => {
    await assertUndelivered(carrier, asked, '+4915112345699', '2');
    await assertUndelivered(carrier, asked, '0', '16');
  });
});

test('Kannel reports by another number what an SMSC says has expired without words', {
  skip,
  timeout: 30_000,
}, async (t) => {
  await withKannel(
    t,
    async (carrier, _smsc, asked) => await assertUndelivered(carrier, asked, '+4915112345699', '34'),
    'wordless',
  );
});
