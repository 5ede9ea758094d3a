import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { test } from 'node:test';
import { startService } from '../service.ts';
import { eventually, freshNumber, wrongCode } from './client.ts';
import { openTarget } from './target.ts';

const { client, own } = await openTarget();

const EXAMPLE = `
code: { length: 6, alphabet: digits, validFor: 10m, guesses: 5 }     # validFor down to 1s for tests
limits:
  sendsPerDestination: [5/10m, 20/1d]
  failedGuessesPerDestination: [50/1d]
  requestsPerKey: [1000/1s]
carriers:
  smsc: { type: smpp, host: 127.0.0.1, port: 2775, systemId: u, password: p, source: Acme }
  gateway:
    type: http
    url: http://127.0.0.1:9190/sms
    json: { to: "{{to}}", text: "{{text}}", code: "{{code}}" }        # or form: {...}
    reference: id                                                     # where the answer holds the message reference
routes:
  - { channel: sms, countries: [US, DE], carriers: [smsc, gateway] }
  - { channel: sms, carriers: [gateway] }
`;

test('/healthz and /readyz answer 200 without a key', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await client.get(path, { key: null });
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  }
});

if (own !== undefined) {
  /** The sum of a counter over all labels but those given. */
  const total = (text: string, name: string, labels: Readonly<Record<string, string>> = {}) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .filter((line) => Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

  test('the metrics count the funnel by channel, country and carrier, tell what runs out, and ask for their token', async () => {
    const token = 'a-token-for-the-scraper';
    await using service = await startService({ config: { metrics: { token } } });
    const { client, ca, dataDir } = service;
    for (let i = 0; i < 3; i++) {
      const { id, code } = await client.issue(freshNumber());
      await client.confirm(id, wrongCode(code));
      if (i > 0) assert.equal((await client.confirm(id, code)).status, 200);
    }
    await client.issue('+442071838750', 'voice');
    const scrape = async () => (await client.get('/metrics', { key: token })).text;
    // A message can be read a moment before its delivery is settled.
    await eventually(async () =>
      total(await scrape(), 'countersign_verifications_delivered_total') === 4 ? true : undefined,
    );
    const text = await scrape();
    const german = { channel: 'sms', country: 'DE' };
    const british = { channel: 'voice', country: 'GB' };
    const seen = (stage: string, labels: Record<string, string>) =>
      total(text, `countersign_verifications_${stage}_total`, labels);
    assert.equal(seen('requested', german), 3);
    assert.equal(seen('submitted', { ...german, carrier: 'simulator' }), 3);
    assert.equal(seen('delivered', { ...german, carrier: 'simulator' }), 3);
    assert.equal(seen('confirmed', german), 2);
    assert.equal(seen('requested', british), 1);
    assert.equal(seen('delivered', british), 1);
    assert.equal(seen('confirmed', british), 0);
    assert.match(text, /_bucket\{/, 'latencies are histograms');

    assert.equal((await client.get('/metrics', { key: null })).status, 401, 'this machine, too');
    assert.equal((await client.get('/metrics', { key: 'another-token-altogether' })).status, 401);
    const figure = (name: string) => Number(new RegExp(`^countersign_${name} (\\S+)$`, 'm').exec(text)?.[1]);
    const expiry = new X509Certificate(ca).validToDate.getTime() - Date.now();
    const left = figure('certificate_expiry_seconds') * 1_000;
    // Between the scrape and the line above there are moments, not minutes.
    assert.ok(Math.abs(left - expiry) < 60_000, `${left} ms left of ${expiry}`);
    const { bavail, bsize } = await statfs(dataDir);
    const free = figure('data_free_bytes');
    // Others write to the same disk.
    assert.ok(Math.abs(free - bavail * bsize) < 0.05 * bavail * bsize, `${free} of ${bavail * bsize} bytes`);
  });

  test('the first start says what a newcomer needs, and the key it prints works', async () => {
    await using service = await startService({ withoutKeys: true, withoutCertificate: true });
    const shown = /csk_test_[0-9A-Za-z]{20,}/;
    const ready = `Countersign is ready at ${service.baseUrl} (portal: ${service.baseUrl}/portal/, `;
    // The one on standard output, the other on standard error: either may come first.
    await eventually(async () => (shown.test(service.logs()) && service.logs().includes(ready)) || undefined);
    const greeting = service.logs();
    assert.ok(greeting.includes(ready), greeting);
    assert.match(greeting, /curl .*\/verify/s);
    assert.match(greeting, /\/simulator\/messages/);
    const [key] = shown.exec(greeting) ?? [];
    assert.ok(key !== undefined, greeting);
    const destination = freshNumber();
    const { id, code } = await service.client.issue(destination, 'sms', { key });
    assert.equal((await service.client.confirm(id, code, { key })).status, 200);
    await service.restart();
    const again = () => service.logs().slice(greeting.length);
    assert.ok(await eventually(async () => again().includes(ready) || undefined));
    assert.equal(await service.stop(), 0);
    assert.doesNotMatch(again(), shown, 'a key is shown once, where the service is at each start');
  });

  test('the configuration of the documentation works as written', async () => {
    // But for the ports, where something may well listen on a developer's machine.
    await using service = await startService({ config: EXAMPLE.replaceAll(/2775|9190/g, '1') });
    assert.equal(
      (await service.client.verify(freshNumber())).status,
      200,
      'a carrier that is away is no refusal',
    );
  });

  test('SIGTERM ends the service with exit code 0, and it starts again on its data', async () => {
    const destination = freshNumber();
    const { id, code } = await client.issue(destination);
    assert.equal(await own.stop(), 0);
    // As soon as it is ready, too.
    for (let i = 0; i < 3; i++) {
      await own.restart();
      assert.equal(await own.stop(), 0);
    }
    await own.restart();
    assert.equal((await client.confirm(id, code)).status, 200);
  });
}
