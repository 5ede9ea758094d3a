import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldErrorCode } from '../errors/field-error.ts';
import { MAGIC_DESTINATIONS } from '../verification/magic.ts';
import type { Channel } from './channel.ts';
import { parseDestination, parsePastDestination } from './destination.ts';

function accepts(channel: Channel, input: string, address: string, country: string): void {
  test(`${channel}: ${JSON.stringify(input)} is ${address}`, () => {
    const parsed = parseDestination(input, channel);
    assert.ok(parsed.ok);
    assert.equal(parsed.destination.address, address);
    assert.equal(parsed.destination.country, country);
  });
}

function refuses(
  channel: Channel,
  reason: string,
  input: string,
  [code, expected]: readonly [FieldErrorCode, RegExp],
): void {
  test(`${channel}: refuses ${reason}`, () => {
    const parsed = parseDestination(input, channel);
    assert.ok(!parsed.ok);
    assert.equal(parsed.code, code);
    assert.match(parsed.detail, expected);
    assert.match(parsed.detail, /^[A-Z].*\.$/);
  });
}

accepts('sms', '+4915123456789', '+4915123456789', 'DE');
accepts('sms', ' +1 (415) 555-0123 ', '+14155550123', 'US');
accepts('sms', '+1.416.555.0123', '+14165550123', 'CA');
accepts('sms', '+49\u00a0151\u202f234\u201156789', '+4915123456789', 'DE');
accepts('sms', '\u202a+49 151 23456789\u202c', '+4915123456789', 'DE');
accepts('sms', '＋４９１５１２３４５６７８９', '+4915123456789', 'DE');
accepts('sms', '+٤٩١٥١٢٣٤٥٦٧٨٩', '+4915123456789', 'DE');
accepts('sms', '+۴۹۱۵۱۲۳۴۵۶۷۸۹', '+4915123456789', 'DE');
accepts('sms', '+४९१५१२३४५६७८९', '+4915123456789', 'DE');
accepts('sms', '+49 151/23456789', '+4915123456789', 'DE');
accepts('sms', '+49—151―234～567[89]', '+4915123456789', 'DE');
accepts('sms', '\ufeff+49\ufeff151\u200b23456789\u2060', '+4915123456789', 'DE');
accepts('sms', '+44 (0)7400 123456', '+447400123456', 'GB');
accepts('sms', '+4407400123456', '+447400123456', 'GB');
// The plan says of none of these whether it is a landline.
accepts('sms', '+56 2 2123 4567', '+56221234567', 'CL');
accepts('sms', '+52 55 1234 5678', '+525512345678', 'MX');
accepts('sms', '+691 320 1234', '+6913201234', 'FM');
accepts('sms', '+45 33 12 34 56', '+4533123456', 'DK');
accepts('sms', '+881 612 345 678', '+881612345678', 'ZZ');
accepts('voice', '+49 30 1234567', '+49301234567', 'DE');
accepts('voice', '+80012345678', '+80012345678', 'ZZ');
accepts('voice', 'tel:+1-202-555-0123', '+12025550123', 'US');
accepts('voice', 'TEL:+1-202-555-0123;EXT=12', 'tel:+12025550123;ext=12', 'US');
accepts('voice', '+12025550123;ext=00123456', 'tel:+12025550123;ext=00123456', 'US');
accepts('voice', '\u200btel:\u00ad+1-202-555-0123;ext\u2060=12', 'tel:+12025550123;ext=12', 'US');
accepts('voice', ' SIP:Alice@Example.com ', 'sip:Alice@example.com', 'ZZ');
accepts('voice', '\u200b sip:ali\u00adce@example.com\ufeff ', 'sip:alice@example.com', 'ZZ');

test('a character that nobody sees changes no destination, wherever it stands', () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    const unseen = String.fromCodePoint(point);
    if (!/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(unseen)) continue;
    for (const [channel, typed] of [
      ['sms', `${unseen}+49${unseen}15123456789${unseen}`],
      ['voice', `${unseen}tel:${unseen}+49${unseen}15123456789`],
    ] as const) {
      const parsed = parseDestination(typed, channel);
      assert.ok(parsed.ok && parsed.destination.address === '+4915123456789', `U+${point.toString(16)}`);
    }
  }
});

const format = ['not_e164', /E\.164/] as const;
refuses('sms', 'nothing', '', format);
refuses('sms', 'a national format', '0151 23456789', format);
refuses('sms', 'an international prefix instead of +', '004915123456789', format);
refuses('sms', 'letters', '+1 800 FLOWERS', format);
refuses('sms', 'trailing junk', '+4915123456789 hello', format);
refuses('sms', 'a second number', '+4915123456789,+4915123456780', format);
refuses('sms', 'a second plus', '++4915123456789', format);
refuses('sms', 'a line break inside', '+49151\n23456789', format);
refuses('sms', 'NUL', '+4915123456789\0', format);
refuses('sms', 'sixteen digits', '+1234567890123456', format);
refuses('sms', 'over 300 characters', `+49151${' '.repeat(300)}23456789`, format);
refuses('sms', 'a tel: URI', 'tel:+4915123456789', format);
refuses('sms', 'a SIP URI', 'sip:alice@example.com', format);
refuses('voice', 'an extension of nine digits', 'tel:+12025550123;ext=123456789', format);
refuses('voice', 'another parameter', 'tel:+12025550123;phone-context=x', format);
refuses('voice', 'a SIP URI with headers', 'sip:alice@example.com?x=y', ['not_a_sip_uri', /SIP URI/]);

const plan = ['invalid_number', /numbering plan/] as const;
refuses('sms', 'a calling code of no country', '+99912345678', plan);
refuses('sms', 'a number too short for its plan', '+4915123', plan);
refuses('sms', 'an area code that does not exist', '+11115550123', plan);
refuses('voice', 'an extension of an invalid number', 'tel:+11115550123;ext=1', plan);

test('a number that may be none any more is read, and nothing that never was one', () => {
  const read = (input: string) => {
    const parsed = parsePastDestination(input);
    return parsed.ok ? Object.values(parsed.destination).join(' ') : parsed.code;
  };
  assert.equal(read('+229 97 12 34 56'), '+22997123456 e164 ZZ');
  assert.equal(read('tel:+22997123456;ext=12'), 'tel:+22997123456;ext=12 extension ZZ');
  assert.equal(read('+4915112345678'), '+4915112345678 e164 DE');
  // Pagers now.
  assert.equal(read('+49 164 1112345'), '+491641112345 e164 ZZ');
  assert.equal(read('sip:alice@example.com'), 'sip:alice@example.com sip ZZ');
  assert.equal(read('22997123456'), 'not_e164');
  assert.equal(read('sip:'), 'not_a_sip_uri');
});

const noSms = (code: FieldErrorCode) => [code, /can receive SMS/] as const;
refuses('sms', 'a landline', '+49301234567', noSms('landline'));
refuses('sms', 'a premium-rate number', '+19002345678', noSms('premium_rate'));
refuses('sms', 'a toll-free number', '+18002345678', noSms('toll_free'));
refuses('sms', 'a shared-cost number', '+491801234567', noSms('shared_cost'));
refuses('sms', 'a pager', '+491641112345', noSms('pager'));
refuses('sms', 'a company-wide number', '+41581234567', noSms('company_wide'));
refuses('sms', 'the series of telemarketing in India', '+911400123456', noSms('company_wide'));
refuses('sms', 'a mailbox', '+41860123456789', noSms('voicemail'));
refuses('voice', 'a premium-rate number', '+19002345678', ['premium_rate', /can be called/]);
refuses('voice', 'a pager', '+491641112345', ['pager', /can be called/]);
refuses('voice', 'a mailbox', '+41860123456789', ['voicemail', /can be called/]);

for (const [address, outcome] of MAGIC_DESTINATIONS) {
  test(`the magic destination for ${outcome} can be asked for over both channels`, () => {
    for (const channel of ['sms', 'voice'] as const) {
      const parsed = parseDestination(address, channel);
      assert.equal(parsed.ok && parsed.destination.address, address);
    }
  });
}
