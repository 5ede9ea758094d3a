/** What holds for look-ups of every type. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { answer, hang } from '../carriers/gateway.ts';
import { camara, openLookup, PLAIN, token } from './rig.ts';

const telnyx =
  (more: object = {}) =>
  (url: string) => ({ type: 'telnyx', apiKey: 'KEY-1', url, ...more });
const MOBILE = answer(200, { data: { carrier: { type: 'mobile' } } });

suite('a look-up', () => {
  test('remembers an answer until its end, for this number alone', async (t) => {
    const { provider, ask, recall, clock, lookup } = await openLookup(t, telnyx({ remember: '10m' }));
    provider.play(MOBILE);
    assert.equal(recall(), undefined);
    await ask();
    assert.deepEqual(recall(), { lineType: 'mobile', ported: undefined });
    const question = { ...PLAIN, number: '+4915112345679' };
    assert.equal(lookup.recall('another', question), undefined);
    clock.pass(599_999);
    assert.deepEqual(recall(), { lineType: 'mobile', ported: undefined });
    clock.pass(1);
    assert.equal(recall(), undefined);
  });

  test('an answer about other hours is another one', async (t) => {
    const { provider, ask, recall } = await openLookup(t, (url) => ({
      ...{ type: 'http', url: `${url}/{{to}}`, swapped: { path: 's' } },
    }));
    provider.play(answer(200, { s: false }));
    await ask({ swappedWithinHours: 24 });
    assert.equal(recall({ swappedWithinHours: 48 }), undefined);
    assert.equal(recall({ swappedWithinHours: 24, portedWithinHours: 24 }), undefined);
    assert.notEqual(recall({ swappedWithinHours: 24 }), undefined);
  });

  test('one that hangs is given up, and whoever waited for the same number does not wait again', async (t) => {
    const { provider, ask, recall, clock, said } = await openLookup(t, telnyx({ timeout: '100ms' }));
    provider.play(hang);
    assert.equal(await ask(), 'failed');
    assert.match(said.join('\n'), /timed out/);
    assert.equal(recall(), 'failed');
    clock.pass(5_000);
    assert.equal(recall(), undefined);
  });

  test('after five failures in a row it is not asked for ten seconds, then once', async (t) => {
    const { provider, lookup, askOf, clock, failures } = await openLookup(t, telnyx());
    const question = { ...PLAIN, number: '+4915112345678' };
    provider.play(answer(503));
    for (let times = 0; times < 5; times++) assert.equal(await askOf(String(times), question), 'failed');
    assert.equal(lookup.recall('new', question), 'failed');
    assert.equal(await askOf('new', question), 'failed');
    assert.equal(provider.requests.length, 5);
    assert.deepEqual(
      failures.map(({ reason }) => reason),
      Array(5).fill('HTTP 503'),
    );
    clock.pass(10_000);
    assert.equal(lookup.recall('new', question), undefined);
    provider.play(MOBILE);
    assert.deepEqual(await askOf('new', question), { lineType: 'mobile', ported: undefined });
    assert.equal(lookup.recall('another', question), undefined);
  });

  test('after its pause, one may ask it, and another if that one did not', async (t) => {
    const { provider, lookup, askOf, clock } = await openLookup(t, telnyx());
    const question = { ...PLAIN, number: '+4915112345678' };
    provider.play(answer(503));
    for (let times = 0; times < 5; times++) await askOf(String(times), question);
    clock.pass(10_000);
    const [first, second] = [lookup.permit(), lookup.permit()];
    assert.equal(second, undefined);
    assert.equal(lookup.recall('new', question), 'failed');
    first?.giveBack();
    assert.equal(lookup.recall('new', question), undefined);
    provider.play(MOBILE);
    const [third, fourth] = [lookup.permit(), lookup.permit()];
    assert.equal(fourth, undefined);
    assert.deepEqual(await third?.ask('new', question), { lineType: 'mobile', ported: undefined });
    const [some, others] = [lookup.permit(), lookup.permit()];
    some?.giveBack();
    assert.ok(others);
    assert.equal(provider.requests.length, 6);
  });

  test('is for the countries that it names, and for what it can tell', async (t) => {
    const { lookups } = await openLookup(t, telnyx({ for: ['DE', 'AT'] }));
    assert.equal(lookups.that('AT', ['lineType']).length, 1);
    assert.equal(lookups.that('FR', ['lineType']).length, 0);
    assert.equal(lookups.that('DE', ['swapped', 'recycled']).length, 0);
  });

  test('two about one number go one after the other; about two, at once', async (t) => {
    const { lookups } = await openLookup(t, telnyx());
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = lookups.inTurn('a', async () => {
      await gate.promise;
      order.push('first');
      throw new Error('wrong');
    });
    const second = lookups.inTurn('a', async () => void order.push('second'));
    await lookups.inTurn('b', async () => void order.push('other'));
    gate.resolve();
    await assert.rejects(first, /wrong/);
    await second;
    assert.deepEqual(order, ['other', 'first', 'second']);
  });

  test('is checked without being asked: a token shows that the credentials are right', async (t) => {
    const { lookups, provider } = await openLookup(t, (url) => ({
      ...{ type: 'camara-sim-swap', ...camara(url, 'sim-swap/v2') },
    }));
    const [one] = lookups.checks;
    provider.play(answer(401, { error: 'invalid_client' }), token('tok-1'));
    assert.match((await one?.check())?.detail ?? '', /connected to .*, but no access token: HTTP 401/);
    assert.match((await one?.check())?.detail ?? '', /with an access token/);
    await provider.close();
    assert.match((await one?.check())?.detail ?? '', /ECONNREFUSED/);
    assert.ok(provider.requests.every(({ url }) => url === '/oauth/token'));
  });
});
