/**
 * Missed calls through a real Asterisk: what the telephone sees, and how the call ends. Skipped unless `COUNTERSIGN_TEST_ARI` names one, as
 * for `real.test.ts`, which says what it must have. Its endpoint `noanswer` must dial SIP URIs of this machine, too.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { suite, test } from 'node:test';
import { createAsteriskCarrier } from '../../../src/carriers/asterisk/carrier.ts';
import type { Destination } from '../../../src/core/destination/destination.ts';
import { eventually } from '../../acceptance/client.ts';
import { startService } from '../../service.ts';
import { UNHEARD } from '../ports.ts';
import { until, voiceMessage } from './rig.ts';
import { plugIn } from './telephone.ts';

const { COUNTERSIGN_TEST_ARI: ari } = process.env;
const { origin: url, username: user, password } = new URL(ari ?? 'http://nobody:nothing@127.0.0.1:1');
const account = { type: 'asterisk', url, user, password } as const;
const CODE = '0417';

async function call(trunk: string, destination: Destination = voiceMessage().destination) {
  const carrier = createAsteriskCarrier(
    'calls',
    {
      ...{ ...account, trunk, sipTrunk: trunk, number: '{{toDigits}}', englishFallback: true },
      ...{ ringTimeout: 3_000, timeout: 60_000 },
      flashcall: { numbers: ['+4930123xxxx'], presented: '{{from}}', ring: 2_000 },
    },
    { ...UNHEARD },
  );
  carrier.start();
  await until(() => carrier.link?.trouble === undefined);
  const message = voiceMessage({ channel: 'flashcall', code: CODE, text: '', destination });
  const outcome = await carrier.submit(message, { signal: AbortSignal.timeout(60_000) });
  await carrier.stop();
  const { retryAfterMs, ...told } = { retryAfterMs: 0, ...outcome };
  return told;
}

/** The numbers of a block that calls come from now, as Asterisk tells. */
async function findCallers(block: string): Promise<readonly string[]> {
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
  const channels: unknown = await (await fetch(`${url}/ari/channels`, { headers })).json();
  return JSON.stringify(channels).match(new RegExp(`\\${block}[0-9]{4}`, 'g')) ?? [];
}

suite('missed calls through a real Asterisk', { skip: ari === undefined }, () => {
  test('the telephone sees a number that ends with the code, rings, and is never to answer', async () => {
    await using telephone = await plugIn();
    const address = `sip:4915112345678@127.0.0.1:${telephone.port}`;
    assert.deepEqual(await call('noanswer', { address, kind: 'sip', country: 'ZZ' }), { kind: 'delivered' });
    const [seen] = telephone.calls.values();
    assert.equal(seen?.from, `+4930123${CODE}`);
    await until(() => seen?.methods.length === 3);
    assert.deepEqual([seen?.methods, telephone.calls.size], [['INVITE', 'CANCEL', 'ACK'], 1]);
  });

  for (const [trunk, expected] of [
    ['noanswer', { kind: 'delivered' }],
    // It answers at once, having rung.
    ['handset', { kind: 'delivered' }],
    ['carrier', { kind: 'delivered' }],
    ['busy', { kind: 'temporary', uncounted: true, reason: 'busy (SIP 486, cause 17)' }],
    ['reject', { kind: 'permanent', reason: 'rejected (SIP 603, cause 21)' }],
    ['unreachable', { kind: 'temporary', uncounted: true, reason: 'unreachable (SIP 480, cause 19)' }],
    ['unknown', { kind: 'permanent', reason: 'unknown number (SIP 404, cause 1)' }],
    ['congested', { kind: 'temporary', reason: 'call failed (SIP 503, cause 34)' }],
    ['dead', { kind: 'temporary', reason: 'no response' }],
  ] as const) {
    test(`${trunk} ends as documented`, async () => assert.deepEqual(await call(trunk), expected));
  }

  test('the digits that a person reads confirm the code, and no others do', async () => {
    const block = `+49301${String(randomInt(1e4)).padStart(4, '0')}`;
    await using service = await startService({
      config: {
        carriers: {
          calls: { ...account, trunk: 'noanswer', flashcall: { numbers: [`${block}xxxx`], ring: '2s' } },
        },
        routes: [{ channel: 'flashcall', carriers: ['calls'] }],
      },
    });
    const body = { destination: '+4915112345678', channel: 'flashcall' };
    const { status, json, text } = await service.client.post('/verify', body);
    assert.equal(status, 200, text);
    const caller = await eventually(async () => (await findCallers(block))[0], 20_000);
    const ending = caller?.slice(-4) ?? '';
    const id = json.id ?? '';
    const other = String((Number(ending) + 1) % 1e4).padStart(4, '0');
    assert.equal((await service.client.confirm(id, other)).status, 403);
    assert.equal((await service.client.confirm(id, ending)).status, 200);
    assert.ok(await eventually(async () => (await findCallers(block)).length === 0 || undefined, 20_000));
  });
});
