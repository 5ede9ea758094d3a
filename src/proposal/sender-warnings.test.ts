import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from '../config/fixture.ts';
import { COUNTRY_LOCALES } from '../core/message/locales.ts';
import { THEN } from '../core/sending/routing.ts';
import { NO_NAMES, REGISTERED_NAMES } from './sender-countries.ts';
import { warnOfSenders } from './sender-warnings.ts';

const SMSC = { type: 'smpp', host: 'h', systemId: 'u', password: 'p' };
const ROUTES = [{ channel: 'sms', carriers: ['smsc'] }];

function warnings(carrier: object, more: object = {}, name = 'smsc') {
  const config = { carriers: { [name]: carrier }, routes: ROUTES, ...more };
  return [...warnOfSenders(loadText(JSON.stringify(config)))];
}

const guard = (...countries: string[]) => ({ guard: { countries } });

test('a name as the sender for all others is named once for each list, with the source', () => {
  const found = warnings({ ...SMSC, source: 'Acme' }, guard('US', 'IN', 'DE', 'SA'));
  assert.deepEqual(
    found.map(({ key }) => key),
    ['carriers.smsc.source', 'carriers.smsc.source'],
  );
  const [none, registered] = found.map(({ detail }) => detail);
  assert.match(
    none ?? '',
    /^Acme is a name, and names are not delivered as senders in US; .*\(AWS .*2026-11-23\)$/,
  );
  assert.match(registered ?? '', /^names must be registered in IN, SA, and Acme is used there; /);
  const standard = warnings({ ...SMSC, senders: { default: 'Acme' } }, guard('US'));
  assert.deepEqual(
    standard.map(({ key }) => key),
    ['carriers.smsc.senders.default'],
  );
});

test('numbers are senders everywhere, and a name of a country is taken to be registered there', () => {
  assert.deepEqual(warnings({ ...SMSC, source: '+12025550123' }), []);
  const senders = { US: '12345', IN: 'ACMEIN', default: 'Acme' };
  assert.deepEqual(warnings({ ...SMSC, senders }, guard('US', 'IN')), []);
  const [wrong, ...more] = warnings({ ...SMSC, senders: { US: 'Acme', default: '12345' } }, guard('US'));
  assert.equal(wrong?.key, 'carriers.smsc.senders.US');
  assert.deepEqual(more, []);
});

test('only countries that are sent to over the carrier count', () => {
  const source = { ...SMSC, source: 'Acme' };
  const routes = (...countries: string[]) => ({
    routes: [{ channel: 'sms', countries, carriers: ['smsc'] }],
  });
  assert.deepEqual(warnings(source, routes('DE', 'FR')), []);
  assert.equal(warnings(source, routes('DE', 'US')).length, 1);
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
    warnings({ ...carrier, sms: { from } }, guard('US')).length;
  assert.deepEqual([count(twilio, `MG${'0'.repeat(32)}`), count(twilio, 'Acme')], [0, 1]);
  const identities = ['pool-0123', 'arn:aws:sms-voice:eu-central-1:1:pool/pool-1', '+12025550123'];
  for (const identity of identities) assert.equal(count(aws, identity), 0, identity);
  assert.equal(count(aws, 'ACME'), 1);
});

test('the lists name countries, each once, and a source of every line', () => {
  for (const list of [NO_NAMES, REGISTERED_NAMES]) {
    for (const { source, countries } of list) {
      assert.match(source, /read \d{4}-\d{2}-\d{2}$/);
      for (const country of countries) assert.ok(COUNTRY_LOCALES.has(country), country);
      assert.equal(new Set(countries).size, countries.length);
    }
  }
  const named = [...NO_NAMES, ...REGISTERED_NAMES].flatMap(({ countries }) => countries);
  assert.equal(new Set(named).size, named.length);
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
