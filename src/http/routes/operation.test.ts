import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { NUMBERING_PLANS, VERSION } from '../../version.ts';
import { createFixture, KEY } from '../fixture.ts';
import type { Readiness } from './operation.ts';

const TOKEN = 'scrape-me';

describe('/healthz and /readyz', () => {
  it('say that the process is alive, and its version', async (t) => {
    const { app } = await createFixture(t);
    const alive = { status: 'ok', version: VERSION, numbering_plans: NUMBERING_PLANS };
    assert.deepEqual((await app.inject('/healthz')).json(), alive);
    assert.match(NUMBERING_PLANS, /^\d+\.\d+\.\d+$/);
    assert.equal((await app.inject({ method: 'HEAD', url: '/healthz' })).statusCode, 200);
  });

  it('say of each part whether it can work', async (t) => {
    const readiness = async () => ({ ready: false, parts: { store: 'disk full', delivery: 'ok' } });
    const ready = await (await createFixture(t)).app.inject('/readyz');
    assert.equal(ready.statusCode, 200);
    assert.deepEqual(ready.json(), { status: 'ready', parts: { store: 'ok' } });
    const unready = await (await createFixture(t, {}, { readiness })).app.inject('/readyz');
    assert.equal(unready.statusCode, 503);
    assert.deepEqual(unready.json(), { status: 'not ready', parts: { store: 'disk full', delivery: 'ok' } });
  });

  it('say 503 when readiness itself cannot be told', async (t) => {
    const { app } = await createFixture(
      t,
      {},
      { readiness: () => Promise.reject(new StoreUnavailable('away')) },
    );
    assert.equal((await app.inject('/readyz')).statusCode, 503);
  });

  it('many requests share one look, and for a second its answer', async (t) => {
    const looks: PromiseWithResolvers<Readiness>[] = [];
    const readiness = () => {
      const look = Promise.withResolvers<Readiness>();
      looks.push(look);
      return look.promise;
    };
    const { app } = await createFixture(t, {}, { readiness });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const ask = async () => (await app.inject('/readyz')).statusCode;

    const together = Promise.all(Array.from({ length: 50 }, ask));
    await app.inject('/healthz');
    assert.equal(looks.length, 1);
    looks[0]?.resolve({ ready: true, parts: {} });
    assert.deepEqual(new Set(await together), new Set([200]));

    t.mock.timers.tick(999);
    assert.equal(await ask(), 200);
    assert.equal(looks.length, 1);
    t.mock.timers.tick(1);
    const failing = Promise.all([ask(), ask()]);
    await app.inject('/healthz');
    looks[1]?.reject(new StoreUnavailable('away'));
    assert.deepEqual(await failing, [503, 503]);
    assert.equal(await ask(), 503);
    assert.equal(looks.length, 2, 'a store in trouble is spared, too');

    t.mock.timers.tick(1_000);
    const recovered = ask();
    await app.inject('/healthz');
    looks[2]?.resolve({ ready: true, parts: {} });
    assert.equal(await recovered, 200);
  });
});

describe('/metrics', () => {
  const cases: [string, Record<string, string>, string | undefined, number][] = [
    ['this machine', {}, undefined, 401],
    ['this machine with the token', { authorization: `Bearer ${TOKEN}` }, undefined, 200],
    ['this machine through a proxy', { 'x-forwarded-for': '192.0.2.1' }, undefined, 401],
    ['another machine', {}, '192.0.2.1', 401],
    ['another machine with the token', { authorization: `Bearer ${TOKEN}` }, '192.0.2.1', 200],
    ['a proxy with the token', { authorization: `bearer ${TOKEN}`, via: 'x' }, '192.0.2.1', 200],
    ['another machine with a wrong token', { authorization: 'Bearer scrape-m' }, '192.0.2.1', 401],
    ['this machine with an API key', { authorization: `Bearer ${KEY}` }, undefined, 401],
  ];
  for (const [who, headers, remoteAddress, status] of cases) {
    it(`answers ${status} to ${who} where a token is set`, async (t) => {
      const { app } = await createFixture(t, {}, {}, { metricsToken: TOKEN });
      const answer = await app.inject({ url: '/metrics', headers, ...(remoteAddress && { remoteAddress }) });
      assert.equal(answer.statusCode, status);
      if (status === 200) {
        assert.equal(answer.body, 'up 1\n');
        assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
      } else {
        assert.match(String(answer.headers['www-authenticate']), /^Bearer/);
      }
    });
  }

  it('answers this machine, and nobody else, where no token is set', async (t) => {
    const { app } = await createFixture(t);
    const statusOf = async (remoteAddress: string, headers = {}) =>
      (await app.inject({ url: '/metrics', headers, remoteAddress })).statusCode;
    const signsOfProxies = [
      'forwarded',
      'via',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-real-ip',
    ];
    for (const local of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1']) {
      assert.equal(await statusOf(local), 200, local);
      for (const name of signsOfProxies) {
        assert.equal(await statusOf(local, { [name]: 'for=127.0.0.1' }), 401, `${name} from ${local}`);
      }
    }
    assert.equal(await statusOf('192.0.2.1'), 401);
    assert.equal(await statusOf('192.0.2.1', { 'x-forwarded-for': '127.0.0.1' }), 401);
  });

  it('has no token unless one is set', async (t) => {
    const { app } = await createFixture(t);
    const headers = { authorization: 'Bearer undefined' };
    assert.equal((await app.inject({ url: '/metrics', headers })).statusCode, 401);
  });
});
