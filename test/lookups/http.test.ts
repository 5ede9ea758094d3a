import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { answer } from '../carriers/gateway.ts';
import { NUMBER, openLookup, PLAIN } from './rig.ts';

const UNKNOWN = { lineType: undefined, swapped: undefined, ported: undefined, recycled: undefined };

suite('a look-up of any HTTP API', () => {
  test('placeholders are filled in, and values are read where the options say', async (t) => {
    const { provider, ask } = await openLookup(t, (url) => ({
      type: 'http',
      url: `${url}/q/{{toDigits}}?h={{hours}}&p={{portedHours}}`,
      method: 'POST',
      bearer: 'tok',
      headers: { 'x-since': '{{since}}' },
      json: { msisdn: '{{to}}' },
      lineType: { path: 'line.kind', values: { CELL: 'mobile', VOIP: 'voip' } },
      swapped: { path: 'sim.0', equals: ['Y', 1] },
      ported: { path: 'moved' },
      recycled: { path: 'again' },
    }));
    provider.play(
      answer(200, { line: { kind: 'VOIP' }, sim: ['Y'], moved: false, again: false }),
      answer(200, { line: { kind: 'landline' }, sim: [0], moved: true, again: true }),
      answer(200, { line: { kind: 'constructor' } }),
    );
    assert.deepEqual(await ask(), { lineType: 'voip', swapped: true, ported: false, recycled: false });
    assert.deepEqual(await ask(), { lineType: 'landline', swapped: false, ported: true, recycled: true });
    assert.deepEqual(await ask(), UNKNOWN);
    const [request] = provider.requests;
    assert.equal(`${request?.method} ${request?.url}`, 'POST /q/4915112345678?h=72&p=48');
    assert.equal(request?.headers.authorization, 'Bearer tok');
    assert.equal(request?.headers['x-since'], '2026-03-02');
    assert.deepEqual(JSON.parse(request?.body ?? ''), { msisdn: NUMBER });
  });

  test('what nobody wants to know is not read', async (t) => {
    const { provider, ask } = await openLookup(t, (url) => ({
      ...{ type: 'http', url: `${url}/{{to}}`, swapped: { path: 's' }, recycled: { path: 'r' } },
      portedAt: 'p',
    }));
    provider.play(answer(200, { s: true, r: true, p: '2026-11-30' }));
    assert.deepEqual(await ask(PLAIN), UNKNOWN);
  });

  test('the time of a swap is held against the hours', async (t) => {
    const { provider, ask } = await openLookup(t, (url) => ({
      ...{ type: 'http', url: `${url}/{{to}}`, swappedAt: 'at' },
    }));
    provider.play(
      answer(200, { at: '2026-11-29T12:00:00Z' }),
      answer(200, { at: '2026-11-27T11:59:59Z' }),
      answer(200, { at: 'never' }),
      answer(200, 'not JSON'),
    );
    const swapped = async () => {
      const said = await ask();
      return said === 'failed' ? said : said.swapped;
    };
    assert.deepEqual(
      [await swapped(), await swapped(), await swapped(), await swapped()],
      [true, false, undefined, 'failed'],
    );
  });

  test('the time at which the number went to its carrier is held against its own hours', async (t) => {
    const { provider, ask } = await openLookup(t, (url) => ({
      ...{ type: 'http', url: `${url}/{{to}}`, portedAt: 'at' },
    }));
    provider.play(
      answer(200, { at: '2026-11-28T12:00:01Z' }),
      answer(200, { at: '2026-11-28T12:00:00Z' }),
      answer(200, { at: '2026-11-27' }),
    );
    const ported = async (portedWithinHours = 48) => {
      const said = await ask({ portedWithinHours });
      return said === 'failed' ? said : said.ported;
    };
    assert.deepEqual(
      [await ported(), await ported(), await ported(), await ported(72)],
      [true, false, false, true],
    );
  });
});
