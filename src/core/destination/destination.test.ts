import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAGIC_DESTINATIONS } from '../verification/magic.ts';
import type { Channel } from './channel.ts';
import { parseDestination } from './destination.ts';

function accepts(channel: Channel, input: string, address: string, country: string): void {
  test(`${channel}: ${JSON.stringify(input)} is ${address}`, () => {
    const parsed = parseDestination(input, channel);
    assert.ok(parsed.ok);
    assert.equal(parsed.destination.address, address);
    assert.equal(parsed.destination.country, country);
  });
}

function refuses(channel: Channel, reason: string, input: string, expected: RegExp): void {
  test(`${channel}: refuses ${reason}`, () => {
    const parsed = parseDestination(input, channel);
    assert.ok(!parsed.ok);
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
accepts('sms', '+44 (0)7400 123456', '+447400123456', 'GB');
accepts('sms', '+881 612 345 678', '+881612345678', 'ZZ');
accepts('voice', '+49 30 1234567', '+49301234567', 'DE');
accepts('voice', '+80012345678', '+80012345678', 'ZZ');
accepts('voice', 'tel:+1-202-555-0123', '+12025550123', 'US');
accepts('voice', 'TEL:+1-202-555-0123;EXT=12', 'tel:+12025550123;ext=12', 'US');
accepts('voice', '+12025550123;ext=00123456', 'tel:+12025550123;ext=00123456', 'US');
accepts('voice', ' SIP:Alice@Example.com ', 'sip:Alice@example.com', 'ZZ');

const format = /E\.164/;
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
refuses('voice', 'a SIP URI with headers', 'sip:alice@example.com?x=y', format);

const plan = /numbering plan/;
refuses('sms', 'a calling code of no country', '+99912345678', plan);
refuses('sms', 'a number too short for its plan', '+4915123', plan);
refuses('sms', 'an area code that does not exist', '+11115550123', plan);
refuses('voice', 'an extension of an invalid number', 'tel:+11115550123;ext=1', plan);

const sms = /can receive SMS/;
refuses('sms', 'a landline', '+49301234567', sms);
refuses('sms', 'a premium-rate number', '+19002345678', sms);
refuses('sms', 'a toll-free number', '+18002345678', sms);
refuses('sms', 'a shared-cost number', '+491801234567', sms);
refuses('sms', 'a pager', '+491641112345', sms);
refuses('sms', 'a mailbox', '+49177991234567', sms);

const voice = /can be called/;
refuses('voice', 'a premium-rate number', '+19002345678', voice);
refuses('voice', 'a pager', '+491641112345', voice);
refuses('voice', 'a mailbox, which tells the code to anyone', '+49177991234567', voice);

for (const [address, outcome] of MAGIC_DESTINATIONS) {
  test(`the magic destination for ${outcome} can be asked for over both channels`, () => {
    for (const channel of ['sms', 'voice'] as const) {
      const parsed = parseDestination(address, channel);
      assert.equal(parsed.ok && parsed.destination.address, address);
    }
  });
}
