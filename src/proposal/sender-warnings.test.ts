import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from '../config/fixture.ts';
import { THEN } from '../core/sending/routing.ts';
import { warnOfSenders } from './sender-warnings.ts';

const SMSC = { type: 'smpp', host: 'h', systemId: 'u', password: 'p' };
const ROUTES = [{ channel: 'sms', carriers: ['smsc'] }];

function warnings(carrier: object, more: object = {}, name = 'smsc') {
  const config = { carriers: { [name]: carrier }, routes: ROUTES, ...more };
  return [...warnOfSenders(loadText(JSON.stringify(config)))];
}

const guard = (...countries: string[]) => ({ guard: { countries } });

const details = (found: readonly { readonly detail: string }[]) => found.map(({ detail }) => detail);

test('a name as the sender for all others is named once for each kind of rule, with what becomes of it', () => {
  const found = warnings({ ...SMSC, source: 'Acme' }, guard('US', 'UY', 'MX', 'AU', 'IE', 'ES', 'EG', 'DE'));
  assert.deepEqual(
    found.map(({ key }) => key),
    ['carriers.smsc.source', 'carriers.smsc.source'],
  );
  assert.deepEqual(details(found), [
    'Acme is a name, and a name may be replaced by a number in MX (unsure); is not delivered as a sender in US, UY; set numbers or short codes in senders for these (sources: countersign countries MX US UY)',
    'Acme is used where names must be registered, and an unregistered one arrives as Unverified in AU (since 1 July 2026); may not arrive as sent in EG; is blocked in ES (since 15 September 2026), IE (since 3 October 2025); register it and name it in senders, or set numbers where those are senders (sources: countersign countries AU EG ES IE)',
  ]);
  const standard = warnings({ ...SMSC, senders: { default: 'Acme' } }, guard('UY'));
  assert.deepEqual(standard, [
    {
      key: 'carriers.smsc.senders.default',
      detail:
        'Acme is a name, and a name is not delivered as a sender in UY; set numbers or short codes in senders for these (AWS 2026-03, read 2026-11-23)',
    },
  ]);
});

test('a sender of a country is taken to be registered there, but not to be a name where names are none', () => {
  const senders = { US: '12345', IN: 'ACMEIN', FI: '+358401234567', default: 'Acme' };
  assert.deepEqual(warnings({ ...SMSC, senders }, guard('US', 'IN', 'FI')), []);
  assert.deepEqual(warnings({ ...SMSC, senders: { UY: 'Acme', default: '12345' } }, guard('UY')), [
    {
      key: 'carriers.smsc.senders.UY',
      detail:
        'Acme is a name, and a name is not delivered as a sender in UY; set a number or a short code (AWS 2026-03, read 2026-11-23)',
    },
  ]);
});

test('numbers are named where they must be registered, where foreign ones are blocked, and where none are senders', () => {
  const found = warnings({ ...SMSC, source: '+447700900123' }, guard('FI', 'GB', 'AT', 'RU', 'DE', 'US'));
  assert.deepEqual(details(found), [
    '+447700900123 is a number, and numbers are replaced or not delivered as senders in RU; set short codes, or registered names where names are senders (Salesforce, read 2026-11-27; Sent 2026-03-08, read 2026-11-29; AWS 2026-03, read 2026-11-23)',
    '+447700900123 is used where numbers must be registered: FI (unsure), US; register it and name it in senders (sources: countersign countries FI US)',
    '+447700900123 is a number of another country, and those are blocked or replaced in AT (unsure); set a number of the country, a short code or a registered name (Vonage 2024, read 2026-11-27; Wiraya, read 2026-11-27)',
  ]);
  assert.deepEqual(warnings({ ...SMSC, source: '12345' }), [], 'a short code');
});

test('a name that was set for a country is held against its form and words there', () => {
  const senders = {
    AU: 'Verify',
    ES: 'Ac',
    FR: 'Acme & Co',
    TH: 'Acme Shop',
    GB: 'Acme & Co',
    HK: 'Acme',
    default: '12345',
  };
  const found = warnings({ ...SMSC, senders }, guard('AU', 'ES', 'FR', 'TH', 'GB', 'HK'));
  assert.deepEqual(
    found.map(({ key, detail }) => [key.replace('carriers.smsc.senders.', ''), detail.split(' (')[0]]),
    [
      ['AU', 'Verify may be refused as a name, which must have more than general words in AU'],
      ['ES', 'Ac may be refused as a name, which must have 3 to 11 characters in ES'],
      ['FR', 'Acme & Co may be refused as a name, which must have only letters A to Z and digits in FR'],
      ['HK', 'Acme may be refused as a name, which must have # and the registered name in HK'],
    ].sort(),
  );
});

test('a name that holds for all is held against the form of every country that is sent to', () => {
  const found = warnings({ ...SMSC, source: 'Acme_1' }, guard('FR', 'TR', 'DE', 'NG'));
  assert.equal(
    details(found).at(-1),
    'Acme_1 may be refused as a name, which must have only letters A to Z and digits in FR; no digits in NG; 3 to 11 letters A to Z, digits, blanks and . - * in TR (sources: countersign countries FR NG TR)',
  );
});

test('a name with # is for Hong Kong alone', () => {
  const twilio = { type: 'twilio', accountSid: `AC${'0'.repeat(32)}`, authToken: 't' };
  const found = (sms: object, ...countries: string[]) => warnings({ ...twilio, sms }, guard(...countries));
  assert.deepEqual(found({ senders: { HK: '#Acme', default: '12345' } }, 'HK', 'DE'), []);
  assert.deepEqual(found({ senders: { DE: '#Acme', default: '12345' } }, 'HK', 'DE'), [
    {
      key: 'carriers.smsc.sms.senders.DE',
      detail:
        '#Acme begins with #, which only names that are registered in HK do; set it in senders.HK alone (Yuexin 2026-05-31, read 2026-11-27; Mobile World Live 2024-01, read 2026-11-27; ClickSend, read 2026-11-29)',
    },
  ]);
  assert.equal(found({ from: '#Acme' }, 'DE').length, 1);
  assert.throws(() => found({ from: 'Ac#me' }, 'HK'), /a name of up to 11 characters/);
  assert.throws(() => found({ from: '#AcmeAcmeAcm' }, 'HK'), /a name of up to 11 characters/);
});

test('only countries that are sent to over the carrier count', () => {
  const source = { ...SMSC, source: 'Acme' };
  const routes = (...countries: string[]) => ({
    routes: [{ channel: 'sms', countries, carriers: ['smsc'] }],
  });
  assert.deepEqual(warnings(source, routes('DE', 'FR')), []);
  assert.equal(warnings(source, routes('DE', 'US')).length, 1);
  const prefix = (text: string) => ({ routes: [{ channel: 'sms', prefixes: [text], carriers: ['smsc'] }] });
  assert.deepEqual(warnings(source, prefix('+49151')), []);
  assert.equal(warnings(source, prefix('+614')).length, 1);
  const taken = {
    routes: [
      { channel: 'sms', countries: ['US'], carriers: ['simulator'] },
      { channel: 'sms', countries: ['US', 'DE'], carriers: ['smsc'] },
    ],
  };
  assert.deepEqual(warnings(source, taken), []);
});

test('ids of a carrier are no names', () => {
  const twilio = { type: 'twilio', accountSid: `AC${'0'.repeat(32)}`, authToken: 't' };
  const aws = { type: 'aws', region: 'eu-central-1', accessKeyId: 'A'.repeat(16), secretAccessKey: 's' };
  const count = (carrier: object, from: string) =>
    warnings({ ...carrier, sms: { from } }, guard('CA')).length;
  assert.deepEqual([count(twilio, `MG${'0'.repeat(32)}`), count(twilio, 'Acme')], [0, 1]);
  const identities = ['pool-0123', 'arn:aws:sms-voice:eu-central-1:1:pool/pool-1', '+12025550123'];
  for (const identity of identities) assert.equal(count(aws, identity), 0, identity);
  assert.equal(count(aws, 'ACME'), 1);
});

test('so it is where messages only go on by the carrier', () => {
  const calls = {
    type: 'http',
    url: 'https://h/',
    json: { to: '{{to}}', code: '{{code}}' },
    channels: ['voice'],
  };
  const routes = (countries: string[]) => [
    { channel: 'voice', countries, carriers: ['calls'], [THEN]: { channel: 'sms', carriers: ['smsc'] } },
  ];
  const found = (...countries: string[]) =>
    warnings({ ...SMSC, source: 'Acme' }, { ...withCarriers(calls), routes: routes(countries) });
  assert.deepEqual(
    found('US', 'DE').map(({ key }) => key),
    ['carriers.smsc.source'],
  );
  assert.deepEqual(found('DE'), []);
});

const withCarriers = (calls: object) => ({ carriers: { smsc: { ...SMSC, source: 'Acme' }, calls } });
