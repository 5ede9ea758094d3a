import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from '../config/fixture.ts';
import type { Spoken } from '../core/sending/carrier.ts';
import { warnOfVoices } from './voice-warnings.ts';

test('calls that messages go on by are looked at in the countries of their route', () => {
  const { routes, messages } = loadText(`carriers:
  a: { type: smpp, host: h, systemId: u, password: p, source: A }
  b: { type: http, url: "https://h/", json: { to: "{{to}}", code: "{{code}}" }, channels: [voice] }
routes:
  - { channel: sms, countries: [DE, BG], carriers: [a], then: { channel: voice, carriers: [b] } }
  - { channel: sms, carriers: [a] }`);
  const how = (_: string, locale: string): Spoken => (locale === 'bg' ? 'not-at-all' : 'as-written');
  const speakers = {
    ...{ how, serve: (_: unknown, locale: string) => locale !== 'bg' },
    keepAble: <T>(ranked: T) => ranked,
  };
  assert.deepEqual(
    [...warnOfVoices(routes, messages, speakers)],
    [
      { key: 'routes[0].then', detail: 'b has no voice for bg (BG); it is skipped for these languages' },
      {
        key: 'routes[0].then',
        detail:
          'none of its carriers speaks bg (BG); messages do not go on by it there, unless englishFallback is on',
      },
    ],
  );
});
