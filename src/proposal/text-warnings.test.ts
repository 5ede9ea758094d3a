import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from '../config/fixture.ts';
import { warnOfTexts } from './text-warnings.ts';

const SMSC = { type: 'smpp', host: 'h', systemId: 'u', password: 'p', source: '12345' };

function warnings(messages: object, countries: string[], more: object = {}) {
  const routes = [{ channel: 'sms', carriers: ['smsc'] }];
  const config = { carriers: { smsc: SMSC }, routes, guard: { countries }, messages, ...more };
  return [...warnOfTexts(loadText(JSON.stringify(config)))];
}

test('where the line of WebOTP is left out, and why', () => {
  const messages = { webOtpDomain: 'acme.example' };
  assert.deepEqual(warnings(messages, ['TR', 'MY', 'CN', 'TH', 'DE']), [
    {
      key: 'messages.webOtpDomain',
      detail:
        'SMS go without the line of acme.example where it may keep them from arriving: links are blocked in CN, MY (since 1 September 2024), TR (since 1 April 2026); only listed domains pass in TH (since 13 January 2025); once the domain is listed in a country, leave that out of messages.webOtpExcept (sources: countersign countries CN MY TH TR)',
    },
  ]);
  const [only] = warnings({ ...messages, webOtpExcept: ['MY', 'DE'] }, ['TR', 'MY', 'DE']);
  assert.match(
    only?.detail ?? '',
    /links are blocked in MY \(since 1 September 2024\); .* \(AWS .*; iMoney 2024, read /,
  );
  assert.deepEqual(warnings({ ...messages, webOtpExcept: [] }, ['TR', 'MY']), [], 'the operator decides');
  assert.deepEqual(warnings(messages, ['DE', 'US']), []);
  assert.deepEqual(warnings({}, ['TR']), []);
  const registered = { IN: { texts: { en: { sms: '{{code}}' } } } };
  assert.deepEqual(warnings({ ...messages, registered }, ['IN']), [], 'registered texts get no line anyway');
});

test('a link in the brand or in a text of one’s own is named, where networks block links', () => {
  const found = (messages: object, ...countries: string[]) => warnings(messages, countries);
  assert.deepEqual(found({ brand: 'Acme.com' }, 'MY', 'TH', 'DE'), [
    {
      key: 'messages.brand',
      detail:
        'has Acme.com, which may keep SMS from arriving: links are blocked in MY; only listed domains pass in TH; leave it out, or have it listed (sources: countersign countries MY TH)',
    },
  ]);
  const templates = { ms: { sms: '{{code}} https://acme.example/l {{brand}}' }, en: { sms: '{{code}}' } };
  assert.deepEqual(
    found(
      { templates, named: { login: { ms: { sms: '{{code}} at acme.example, {{brand}}' } } } },
      'MY',
      'GB',
    ).map(({ key, detail }) => [key, /has (\S+),/.exec(detail)?.[1]]),
    [
      ['messages.templates.ms.sms', 'https://acme.example/l'],
      ['messages.named.login.ms.sms', 'acme.example'],
    ],
  );
  const linksIn = (sms: string) =>
    found({ brand: 'Acme.com', templates: { ms: { sms } } }, 'MY').flatMap(({ key, detail }) => {
      const link = /has (\S+), which/.exec(detail)?.[1];
      return link === undefined ? [] : [[key, link]];
    });
  const own = ['messages.templates.ms.sms', 'https://acme.example/l'];
  assert.deepEqual(linksIn('{{code}} https://acme.example/l'), [own], 'the brand is not in it');
  assert.deepEqual(linksIn('{{code}} https://acme.example/l {{brand}}').toSorted(), [
    ['messages.brand', 'Acme.com'],
    own,
  ]);
  assert.deepEqual(found({ templates }, 'GB', 'DE'), []);
  assert.deepEqual(found({ brand: 'Acme' }, 'MY', 'TR'), [], 'built-in texts have none');
  const registered = { TR: { texts: { tr: { sms: '{{code}} acme.example' } } } };
  assert.deepEqual(found({ registered }, 'TR'), [], 'it is registered with it');
});

test('a text without the brand is named, where networks want it', () => {
  const templates = { en: { sms: '{{code}} is your code' }, vi: { sms: '{{code}} for {{brand}}' } };
  const named = { login: { en: { sms: '{{code}} signs you in' } } };
  const found = (messages: object, ...countries: string[]) =>
    warnings({ brand: 'Acme', ...messages }, countries);
  assert.deepEqual(found({}, 'ID', 'VN', 'TH', 'MY', 'BD', 'LK'), [], 'built-in texts have it');
  assert.deepEqual(found({ templates, locale: 'en' }, 'ID', 'VN', 'DE'), [
    {
      key: 'messages.templates.en.sms',
      detail:
        'has no brand, and networks in ID, VN want one in each text; put {{brand}} into it (sources: countersign countries ID VN)',
    },
  ]);
  assert.deepEqual(found({ templates }, 'VN', 'US'), []);
  assert.deepEqual(
    found({ named }, 'VN').map(({ key }) => key),
    ['messages.named.login.en.sms'],
  );
  const registered = (sms: string) => ({ registered: { VN: { texts: { vi: { sms } } } } });
  assert.deepEqual(found(registered('{{code}} ACME'), 'VN'), [], 'written out');
  assert.deepEqual(
    found(registered('{{code}}'), 'VN').map(({ key }) => key),
    ['messages.registered.VN'],
  );
});

test('codes with letters, where a text is registered in India', () => {
  const messages = { registered: { IN: { texts: { en: { sms: '{{code}}' } } } } };
  const letters = { code: { alphabet: 'letters' } };
  const [found, ...more] = warnings(messages, ['IN', 'DE'], letters);
  assert.equal(found?.key, 'code.alphabet');
  assert.match(
    found?.detail ?? '',
    /^codes have letters, and since 14 January 2026 the variables of texts that are registered in IN have types: one of type numeric takes no letters; register \{\{code\}\} as alphanumeric, or set digits \(NDTV /,
  );
  assert.deepEqual(more, []);
  assert.deepEqual(warnings(messages, ['IN']), []);
  assert.deepEqual(warnings(messages, ['DE'], letters), []);
  assert.deepEqual(warnings({}, ['IN'], letters), []);
});

test('texts that only the simulator gets are not looked at', () => {
  const config = loadText('messages: { webOtpDomain: acme.example }');
  assert.deepEqual([...warnOfTexts(config)], []);
});
