import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkplace } from './fixture.ts';

const CARRIERS = `currency: EUR
carriers:
  smsc: { type: smpp, host: h, systemId: u, password: hunter22, source: A, prices: { default: 0.05, DE: 0.08 } }
  spare: { type: smpp, host: h, systemId: u, password: hunter22, source: A, dailyCap: 500 }
routes:
  - { channel: sms, countries: [US], carriers: [smsc] }
  - { channel: sms, countries: [DE], carriers: [smsc, spare], choose: quality, dailyCap: 1000 }
`;

test('route explain: the route, the order, the text and the price, and nothing sent', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', CARRIERS);
  await place.makeStore();
  const { status, stdout, stderr } = await place.run(['route', 'explain', '+49 151 12345678']);
  assert.equal(status, 0);
  assert.match(stderr, /^store: .*countersign\.db\n$/);
  assert.match(stdout, /^sms to DE\n {2}not routes\[0\]: it serves another country\n/);
  assert.match(
    stdout,
    /routes\[1\] takes it, by quality, at most 1000 a day\n {2}text: de, GSM-7, 1 segment, /,
  );
  assert.match(stdout, /\nsmsc +1st of 2 by quality: 0\.\d\d expected of 0 sent.* 0\.08 EUR +0 taken +-\n/);
  assert.match(stdout, /\nspare .* unknown +0 of 500 taken +-\n\nNothing was sent\.\n$/);
  assert.doesNotMatch(stdout, /15112345678|\d{6}|hunter22/);
});

test('route explain: warns of senders and texts in the country, on standard error', async () => {
  using place = createWorkplace();
  const messages = 'messages: { webOtpDomain: acme.example, templates: { tr: { sms: "{{code}}" } } }';
  place.write(
    'countersign.yaml',
    `${CARRIERS.replace('[US]', '[US, TR]').replace('source: A,', 'source: Acme,')}${messages}\n`,
  );
  await place.makeStore();
  const explain = async (number: string, ...more: string[]) =>
    (await place.run(['route', 'explain', number, ...more])).stderr.trimEnd().split('\n').slice(1);
  const [sender = '', links = '', ...rest] = await explain('+905321234567');
  assert.match(
    sender,
    /^warning: carriers\.smsc\.source: Acme is used where names must be registered, .* blocked in TR; /,
  );
  assert.match(
    links,
    /^warning: messages\.webOtpDomain: .* links are blocked in TR \(since 1 April 2026\); /,
  );
  assert.deepEqual(rest, []);
  assert.deepEqual(await explain('+4915112345678'), []);
});

test('route explain --json, and by voice', async () => {
  using place = createWorkplace();
  await place.makeStore();
  const { status, stdout } = await place.run([
    'route',
    'explain',
    '+14155550123',
    '--channel',
    'voice',
    '--json',
  ]);
  assert.equal(status, 0);
  const explained = JSON.parse(stdout);
  const { channel, country, route, text, carriers } = explained;
  // Programs read it, and the portal's API has the same names.
  assert.deepEqual(Object.keys(explained), [
    'channel',
    'country',
    'route',
    'not_taken',
    'text',
    'currency',
    'carriers',
    'legs',
  ]);
  assert.deepEqual([channel, country, route.chooses], ['voice', 'US', 'the only carrier']);
  assert.deepEqual([text.encoding, text.segments], [null, null]);
  assert.equal(carriers[0].carrier, 'simulator');
});

test('route explain: a message over RCS has no segments, and is not spoken', async () => {
  using place = createWorkplace();
  place.write(
    'countersign.yaml',
    `${CARRIERS}  - { channel: rcs, carriers: [simulator], then: { channel: sms } }\n`,
  );
  await place.makeStore();
  const { stdout } = await place.run(['route', 'explain', '+4915112345678', '--channel', 'rcs']);
  assert.match(stdout, /\n {2}routes\[2\] takes it, by the only carrier\n {2}text: de, \d+ characters\n/);
});

test('route explain: an impossible destination, or one without a route, says why, exit code 1', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', CARRIERS);
  const refused = async (...args: string[]) => {
    const { status, stdout, stderr } = await place.run(['route', 'explain', ...args]);
    assert.deepEqual([status, stdout], [1, '']);
    assert.doesNotMatch(stderr, /612345678/);
    return stderr;
  };
  assert.match(await refused('12'), /^countersign: Expected a telephone number/);
  assert.match(
    await refused('+33612345678'),
    /^countersign: no route takes sms to FR: routes\[0\] serves another country, routes\[1\] serves another country\n$/,
  );
  assert.equal((await place.run(['route', 'explain', '+33612345678', '--channel', 'fax'])).status, 2);
  place.write(
    'countersign.yaml',
    `${CARRIERS}guard: { countries: [US], neverSend: { allow: ["+88216"] } }\n`,
  );
  assert.match(await refused('+4915112345678'), /: nothing is sent to DE: it is not in guard.countries\n$/);
  assert.match(
    await refused('+881612345678'),
    / \(satellite: \+881 is never sent to unless guard.neverSend.allow names it\)\n$/,
  );
  assert.match(await refused('+88216123456789'), /nothing is sent to ZZ/);
  assert.match(await refused('+19002345678'), /premium-rate.* \(premium_rate\)\n$/);
});

test('route explain: how each carrier would speak a call, and which are skipped without a voice', async () => {
  using place = createWorkplace();
  const sinch = (english: boolean) =>
    `{ type: sinch, voice: { from: "+12025550123", applicationKey: a, applicationSecret: b, englishFallback: ${english} } }`;
  place.write(
    'countersign.yaml',
    `carriers: { strict: ${sinch(false)}, lenient: ${sinch(true)} }
routes:
  - { channel: voice, countries: [GE, BG], carriers: [strict, lenient] }
  - { channel: voice, countries: [ET], carriers: [strict] }
`,
  );
  await place.makeStore();
  const explain = async (to: string) =>
    (await place.run(['route', 'explain', to, '--channel', 'voice'])).stdout;
  assert.match(
    await explain('+995322123456'),
    /\nstrict +1st of 2 in order +speaks ka .*\nlenient +2nd of 2 in order +speaks ka /,
  );
  assert.match(await explain('+35929123456'), /\nlenient +2nd of 2 in order +speaks English instead /);
  assert.doesNotMatch(await explain('+35929123456'), /\nstrict/);
  assert.match(await explain('+251111234567'), /\nstrict .* no voice for am, so POST \/verify is refused /);
});
