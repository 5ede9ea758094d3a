import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COUNTRY_OPTIONS, warnOfCountedElsewhere } from './counted-elsewhere.ts';
import { loadText } from './fixture.ts';

const SMPP = 'host: h, systemId: u, password: p, source: Acme';

test('every place that names a country without numbers of its own is named, and what to name there', () => {
  const config = loadText(`
guard: { countries: [DE, AX] }
messages: { webOtpExcept: [CX, TR], locales: { MF: en }, registered: { BL: { texts: { en: { sms: "{{code}}" } } } } }
budgets: [{ of: country, per: day, messages: 5, only: SJ }]
carriers:
  smsc:
    type: smpp
    ${SMPP.replaceAll(', ', '\n    ')}
    senders: { MF: Acme }
    tlvs: [{ tag: 0x1410, text: x, countries: [CC] }]
    prices: { VA: 0.05, GP: 0.05, MF: 0.05 }
  twilio:
    type: twilio
    accountSid: AC${'0'.repeat(32)}
    authToken: token-of-the-account
    sms: { from: "+12025550123", senders: { EH: "+12025550123" } }
routes:
  - { channel: sms, countries: [CX], carriers: [smsc, twilio] }
  - { channel: sms, carriers: [smsc] }`);
  assert.deepEqual(
    warnOfCountedElsewhere(config)
      .map(({ key, detail }) => `${key}: ${detail.split(',')[0]}`)
      .sort(),
    [
      'budgets[0].only: mobile numbers of SJ count as NO',
      'carriers.smsc.prices.MF: mobile numbers of MF count as GP',
      'carriers.smsc.prices.VA: mobile numbers of VA count as IT',
      'carriers.smsc.senders.MF: mobile numbers of MF count as GP',
      'carriers.smsc.tlvs[0].countries: mobile numbers of CC count as AU',
      'carriers.twilio.sms.senders.EH: numbers of EH count as MA: name MA',
      'guard.countries: mobile numbers of AX count as FI',
      'messages.locales.MF: mobile numbers of MF count as GP',
      'messages.registered.BL: mobile numbers of BL count as GP',
      'messages.webOtpExcept: mobile numbers of CX count as AU',
      'routes[0].countries: mobile numbers of CX count as AU',
    ],
  );
});

test('a list that names the other country as well is met as it is meant', () => {
  const config = loadText('guard: { countries: [FI, AX, NO] }');
  assert.deepEqual(warnOfCountedElsewhere(config), []);
});

test('an option that sets something for the other country as well says what is used, and not to name it', () => {
  const priced = (prices: string) => {
    const carrier = `{ type: smpp, ${SMPP}, prices: { ${prices} } }`;
    const config = loadText(`carriers: { a: ${carrier} }\nroutes: [{ channel: sms, carriers: [a] }]`);
    return warnOfCountedElsewhere(config).map(({ detail }) => detail.split(': ')[1]);
  };
  assert.deepEqual(priced('MF: 0.05, GP: 0.04'), ['what is set for GP is used for the former']);
  assert.deepEqual(priced('MF: 0.05'), ['name GP, too']);
  assert.deepEqual(priced('EH: 0.05, MA: 0.04'), ['what is set for MA is used']);
});

test('a file of prices is named once for each country', () => {
  const row = { carrier: 'a', channel: undefined, to: 'SJ', price: 1 };
  const config = { ...loadText(''), priceRows: [row, { ...row, carrier: 'b' }, { ...row, to: 'NO' }] };
  assert.deepEqual(
    warnOfCountedElsewhere(config).map(({ key }) => key),
    ['prices.file'],
  );
});

test('every option that takes a country by its form is one of those that are looked at', () => {
  const { list, one, map } = COUNTRY_OPTIONS;
  const names = new Set<string>();
  const walk = (value: unknown, option: string, areOptions: boolean) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const texts = typeof member === 'string' ? [member] : [key];
      const isCountry = texts.some((text) => /^\^\(?(default\|)?\[A-Z\]\{2\}/.test(text));
      if (isCountry) names.add(option);
      walk(member, areOptions ? key : option, key === 'properties');
    }
  };
  const schema = join(import.meta.dirname, '../../countersign.schema.json');
  walk(JSON.parse(readFileSync(schema, 'utf8')), '', false);
  assert.ok(names.size > 3);
  assert.deepEqual(
    [...names].filter((name) => ![...list, ...one, ...map].some((each) => each === name)),
    [],
  );
});
