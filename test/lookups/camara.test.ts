/** The relevant scenarios of CAMARA's own test definitions (SIM Swap 2.1.0, Number Recycling 0.2.0), seen from the client. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { answer } from '../carriers/gateway.ts';
import { camara, NUMBER, openLookup, PLAIN, SECRET, token } from './rig.ts';

const CORRELATOR = /^[a-zA-Z0-9-_:;./<>{}]{1,256}$/;

const simSwap =
  (more: object = {}) =>
  (url: string) => ({
    type: 'camara-sim-swap',
    ...camara(url, 'sim-swap/v2'),
    ...more,
  });
const recycling = (url: string) => ({
  type: 'camara-number-recycling',
  ...camara(url, 'number-recycling/v0.2'),
});

const fault = (status: number, code: string) => answer(status, { status, code, message: `about ${NUMBER}` });

suite('CAMARA SIM Swap', () => {
  test('the number and the hours go to /check as the specification has it, with a token of the client', async (t) => {
    const { provider, ask } = await openLookup(t, simSwap());
    provider.play(token('tok-1'), answer(200, { swapped: true }));
    assert.deepEqual(await ask(), { swapped: true });
    const [first, second] = provider.requests;
    assert.equal(`${first?.method} ${first?.url}`, 'POST /oauth/token');
    const basic = Buffer.from(`client%3A%201:${SECRET}`).toString('base64');
    assert.equal(first?.headers.authorization, `Basic ${basic}`);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(first?.body)), {
      grant_type: 'client_credentials',
      scope: 'sim-swap:check',
    });
    assert.equal(`${second?.method} ${second?.url}`, 'POST /sim-swap/v2/check');
    assert.equal(second?.headers.authorization, 'Bearer tok-1');
    assert.equal(second?.headers['content-type'], 'application/json');
    assert.match(String(second?.headers['x-correlator']), CORRELATOR);
    assert.deepEqual(JSON.parse(second?.body ?? ''), { phoneNumber: NUMBER, maxAge: 72 });
  });

  for (const [hours, swapped] of [
    [260, true],
    [120, true],
    [24, false],
    [12, false],
  ] as const) {
    test(`within ${hours} hours it was ${swapped ? '' : 'not '}swapped`, async (t) => {
      const { provider, ask } = await openLookup(t, simSwap());
      provider.play(token('tok-1'), answer(200, { swapped }));
      assert.deepEqual(await ask({ swappedWithinHours: hours }), { swapped });
      assert.equal(JSON.parse(provider.requests[1]?.body ?? '').maxAge, hours);
    });
  }

  test('a network that may say less is never asked for more', async (t) => {
    const { provider, ask } = await openLookup(t, simSwap({ maxAge: 48 }));
    provider.play(token('tok-1'), answer(200, { swapped: false }));
    await ask();
    assert.equal(JSON.parse(provider.requests[1]?.body ?? '').maxAge, 48);
  });

  test('OUT_OF_RANGE is no answer, names the option, and does not stop the look-up', async (t) => {
    const { provider, ask, said, recall, clock, failures } = await openLookup(t, simSwap());
    provider.play(token('tok-1'), fault(400, 'OUT_OF_RANGE'));
    for (let times = 0; times < 6; times++) assert.equal(await ask(), 'failed');
    assert.equal(provider.requests.length, 7);
    assert.match(said.join('\n'), /OUT_OF_RANGE; set maxAge/);
    const reason = 'account or settings: HTTP 400: OUT_OF_RANGE; set maxAge to the hours it may say';
    assert.deepEqual(failures.at(-1), { reason, at: clock.now() });
    clock.pass(6_000);
    assert.equal(recall(), undefined);
  });

  for (const [status, code] of [
    [422, 'SERVICE_NOT_APPLICABLE'],
    [404, 'IDENTIFIER_NOT_FOUND'],
  ] as const) {
    test(`${code}: the network knows nothing of the number, which is an answer`, async (t) => {
      const { provider, ask, said } = await openLookup(t, simSwap());
      provider.play(token('tok-1'), fault(status, code));
      assert.deepEqual(await ask(), {});
      assert.deepEqual(said, ['one answered']);
    });
  }

  for (const [status, code] of [
    [422, 'UNNECESSARY_IDENTIFIER'],
    [422, 'MISSING_IDENTIFIER'],
    [400, 'INVALID_ARGUMENT'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [422, 'IDENTIFIER_MISMATCH'],
    [429, 'TOO_MANY_REQUESTS'],
    [503, 'UNAVAILABLE'],
  ] as const) {
    test(`${code} is no answer, and nothing of it is logged but its status`, async (t) => {
      const { provider, ask, said } = await openLookup(t, simSwap());
      provider.play(token('tok-1'), fault(status, code));
      assert.equal(await ask(), 'failed');
      assert.match(said.join('\n'), new RegExp(`HTTP ${status}`));
      assert.doesNotMatch(said.join('\n'), /4915112345678|the-secret|tok-1/);
    });
  }

  test('what is not there knows nothing of a number: it is no answer, and stops nobody else', async (t) => {
    const { provider, ask, said, recall, clock } = await openLookup(t, simSwap({ fail: 'closed' }));
    provider.play(token('tok-1'), fault(404, 'NOT_FOUND'), answer(404, '<html>'), fault(404, 'NOT_FOUND'));
    for (let times = 0; times < 6; times++) assert.equal(await ask(), 'failed');
    assert.match(said.join('\n'), /HTTP 404; nothing is at url/);
    clock.pass(6_000);
    assert.equal(recall(), undefined);
  });

  test('an answer without the value is none', async (t) => {
    const { provider, ask } = await openLookup(t, simSwap());
    provider.play(token('tok-1'), answer(200, { swapped: 'perhaps' }));
    assert.equal(await ask(), 'failed');
  });

  test('a token is used until half a minute before its end', async (t) => {
    const { provider, ask, clock } = await openLookup(t, simSwap());
    provider.play(
      token('tok-1', 120),
      answer(200, { swapped: false }),
      answer(200, { swapped: false }),
      token('tok-2', '120'),
      answer(200, { swapped: false }),
    );
    await ask();
    clock.pass(89_000);
    await ask();
    clock.pass(2_000);
    await ask();
    const used = provider.requests
      .map(({ headers }) => headers.authorization)
      .filter((each) => /Bearer/.test(String(each)));
    assert.deepEqual(used, ['Bearer tok-1', 'Bearer tok-1', 'Bearer tok-2']);
  });

  test('a token that the network does not take any more is replaced, once', async (t) => {
    const { provider, ask, said } = await openLookup(t, simSwap());
    provider.play(
      token('tok-1'),
      fault(401, 'UNAUTHENTICATED'),
      token('tok-2'),
      answer(200, { swapped: true }),
    );
    assert.deepEqual(await ask(), { swapped: true });
    provider.play(fault(401, 'UNAUTHENTICATED'), token('tok-3'), fault(401, 'UNAUTHENTICATED'));
    assert.equal(await ask(), 'failed');
    assert.equal(provider.requests.length, 7);
    assert.match(said.join('\n'), /gave no answer: HTTP 401/);
  });

  test('many that need a token at once ask for one', async (t) => {
    const { provider, askOf } = await openLookup(t, simSwap());
    provider.play(token('tok-1'), answer(200, { swapped: false }));
    const question = { ...PLAIN, number: NUMBER, swappedWithinHours: 1 };
    await Promise.all(['a', 'b', 'c'].map((of) => askOf(of, question)));
    assert.equal(provider.requests.filter(({ url }) => url.startsWith('/oauth')).length, 1);
  });

  test('without a token there is no question', async (t) => {
    const { provider, ask, said } = await openLookup(t, simSwap());
    provider.play(answer(401, { error: 'invalid_client', error_description: SECRET }));
    assert.equal(await ask(), 'failed');
    assert.equal(provider.requests.length, 1);
    assert.match(said.join('\n'), /no access token: HTTP 401/);
    assert.doesNotMatch(said.join('\n'), /the-secret/);
  });
});

suite('CAMARA Number Recycling', () => {
  for (const phoneNumberRecycled of [true, false]) {
    test(`since the day of the last confirmation it was ${phoneNumberRecycled ? '' : 'not '}recycled`, async (t) => {
      const { provider, ask } = await openLookup(t, recycling);
      provider.play(token('tok-1'), answer(200, { phoneNumberRecycled }));
      assert.deepEqual(await ask(), { recycled: phoneNumberRecycled });
      const [first, second] = provider.requests;
      assert.equal(new URLSearchParams(first?.body).get('scope'), 'number-recycling:check');
      assert.equal(`${second?.method} ${second?.url}`, 'POST /number-recycling/v0.2/check');
      assert.match(String(second?.headers['x-correlator']), CORRELATOR);
      assert.deepEqual(JSON.parse(second?.body ?? ''), { phoneNumber: NUMBER, specifiedDate: '2026-03-02' });
    });
  }

  test('OUT_OF_RANGE of a day is no answer, names no option that there is not, and does not stop the look-up', async (t) => {
    const { provider, ask, failures } = await openLookup(t, recycling);
    provider.play(token('tok-1'), fault(400, 'OUT_OF_RANGE'));
    for (let times = 0; times < 6; times++) assert.equal(await ask(), 'failed');
    assert.equal(provider.requests.length, 7);
    assert.match(String(failures.at(-1)?.reason), /OUT_OF_RANGE; the network does not look back/);
    assert.doesNotMatch(String(failures.at(-1)?.reason), /maxAge/);
  });

  test('a number for which the service is not applicable, and a date that it does not take', async (t) => {
    const { provider, ask } = await openLookup(t, recycling);
    provider.play(token('tok-1'), fault(422, 'SERVICE_NOT_APPLICABLE'), fault(400, 'INVALID_ARGUMENT'));
    assert.deepEqual(await ask(), {});
    assert.equal(await ask(), 'failed');
  });
});
