/** A person behind each proxy of deploy/proxies/: the service sees that person's address, and believes nobody else about it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, describe, it, test } from 'node:test';
import { parse } from 'yaml';
import { temporaryKeyPair } from '../../src/http/fixture.ts';
import { type Client, createClient, freshNumber } from '../acceptance/client.ts';
import { OWNER, PASSWORD, read, startPortal } from '../portal/rig.ts';
import { listProjectFiles, readProjectFile } from './project.ts';
import { EXAMPLES, startProxy } from './proxies.ts';

/** Addresses of this machine, as if of three. Linux has all of 127.0.0.0/8. */
const PROXY = '127.0.0.1';
const PERSON = '127.0.0.77';
const STRANGER = '127.0.0.78';

/** What a client may write to look like somebody else, in all the headers that the service reads. */
const claim = (address: string) => ({
  'x-forwarded-for': address,
  'x-forwarded-proto': 'http',
  forwarded: `for=${address};proto=http`,
});

interface Entry {
  readonly action: string;
  readonly address: string | null;
}

/** A service that takes requests only from the proxy, with an owner and a key that only the person may use. */
async function open() {
  const { service, setupToken } = await startPortal(
    { after },
    { proxied: true, config: { trustProxy: [PROXY] } },
  );
  const client = createClient({ baseUrl: service.baseUrl, ca: undefined, key: '', from: PROXY });
  after(() => client.close());
  const send = async (path: string, body: object, cookie = '') => {
    const headers = { 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin', cookie };
    return await client.post(`/portal/api/${path}`, body, { key: null, headers });
  };
  const setUp = await send('setup', { token: setupToken(), name: 'O', email: OWNER, password: PASSWORD });
  const cookie = cookiesOf(setUp);
  const me = await client.get('/portal/api/me', {
    key: null,
    headers: { 'x-forwarded-proto': 'https', cookie },
  });
  const account = read<{ accounts: { id: string }[] }>(me).accounts[0]?.id;
  const restrictions = { channels: [], countries: [], sources: [PERSON] };
  const wanted = { name: 'bound', test: true, expires_at: null, restrictions };
  const created = await send(`accounts/${account}/keys`, wanted, cookie);
  return { port: service.port, account, key: read<{ secret: string }>(created).secret };
}

function cookiesOf({ headers }: Awaited<ReturnType<Client['get']>>): string {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
}

/** The status of a request in clear; 0 if it got no answer. */
function sendInClear(port: number, key: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}`, connection: 'close' };
    request({ host: PROXY, port, localAddress: PERSON, method: 'POST', path: '/verify', headers })
      .on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      .on('error', () => resolve(0))
      .end();
  });
}

const { port, account, key } = await open();

describe('a person behind', () => {
  for (const program of ['nginx', 'haproxy', 'caddy', 'traefik'] as const) {
    test(`${program} is seen by the service, and nobody can pretend to be that person`, async (t) => {
      const files = await temporaryKeyPair(t);
      await using proxy = await startProxy(program, port, files);
      if (proxy === undefined) {
        t.skip(`NOT TESTED: there is no ${program} on this machine`);
        return;
      }
      const baseUrl = `https://localhost:${proxy.port}`;
      const clientAt = (from: string) => {
        const client = createClient({ baseUrl, ca: readFileSync(files.cert, 'utf8'), key, from });
        t.after(() => client.close());
        return client;
      };
      const [person, stranger] = [clientAt(PERSON), clientAt(STRANGER)];

      // Codes are sent and confirmed, by a key that only this address may use, whatever the client claims.
      const headers = claim('198.51.100.1');
      const { id, code } = await person.issue(freshNumber(), 'sms', { headers });
      assert.equal((await person.confirm(id, code, { headers })).status, 200);

      const refused = await stranger.verify(freshNumber(), 'sms', { headers: claim(PERSON) });
      assert.equal(refused.status, 401);
      assert.match(refused.json.detail ?? '', /may not be used from the address/);

      // A browser's origin has the port, so this also shows that the proxy passes the name on as it came.
      const credentials = { email: OWNER, password: PASSWORD };
      const signedIn = await person.post('/portal/api/session', credentials, {
        key: null,
        headers: { ...headers, origin: baseUrl },
      });
      const log = await person.get(`/portal/api/accounts/${account}/audit`, {
        key: null,
        headers: { cookie: cookiesOf(signedIn) },
      });
      const [latest] = read<{ entries: Entry[] }>(log).entries;
      assert.deepEqual([latest?.action, latest?.address], ['session.began', PERSON]);

      assert.equal((await person.get('/metrics', { key: null })).status, 401, 'nobody is local here');

      const inClear = await sendInClear(proxy.port, key);
      assert.ok(inClear === 0 || inClear >= 400, `${inClear}: neither served nor sent elsewhere`);
    });
  }
});

describe('the examples', () => {
  it('are all run here', () => {
    const files = Object.values(EXAMPLES).flatMap((example) => Object.values(example.files));
    assert.deepEqual(
      files.map((file) => `deploy/proxies/${file}`).sort(),
      listProjectFiles('deploy/proxies'),
    );
  });

  it('are described, each with what it must set', () => {
    const page = readProjectFile('docs/proxies.md');
    for (const file of listProjectFiles('deploy/proxies')) assert.ok(page.includes(`(../${file})`), file);
  });

  it('let Traefik believe no client, also where it is not run', () => {
    const { entryPoints } = parse(readProjectFile('deploy/proxies/traefik/traefik.yaml'));
    assert.deepEqual(Object.keys(entryPoints.https), ['address']);
    const { http } = parse(readProjectFile('deploy/proxies/traefik/countersign.yaml'));
    const { middlewares, entryPoints: at, service, tls } = http.routers.countersign;
    assert.deepEqual([middlewares, at, tls], [['no-claims'], Object.keys(entryPoints), {}]);
    assert.deepEqual(http.middlewares['no-claims'].headers.customRequestHeaders, { Forwarded: '' });
    assert.equal(http.services[service].loadBalancer.passHostHeader ?? true, true);
  });
});
