import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { LANGUAGES, snippet } from './snippets.ts';

const request = {
  origin: 'https://localhost:8443',
  path: '/verify',
  ownCertificate: false,
  body: { destination: `it's "+1" \\ $HOME`, channel: 'sms' },
} as const;

describe('a request in other languages', () => {
  test('none of them holds a key', () => {
    for (const language of LANGUAGES) assert.match(snippet(language, request), /COUNTERSIGN_API_KEY/);
  });

  test('a shell passes the body to curl unchanged, whatever it holds', () => {
    const script = `curl() { for last; do :; done; printf %s "$last"; }; ${snippet('curl', request)}`;
    assert.deepEqual(JSON.parse(execFileSync('sh', ['-c', script], { encoding: 'utf8' })), request.body);
  });

  test('the TypeScript sends the same request', async () => {
    const asked: unknown[] = [];
    const code = snippet('TypeScript', request)
      .replace('await fetch(', 'record(')
      .replace('await response.json()', '0');
    new Function('record', 'process', 'console', code)(
      (...call: unknown[]) => {
        asked.push(...call);
        return {};
      },
      { env: { COUNTERSIGN_API_KEY: 'csk_test_x' } },
      { log: () => {} },
    );
    assert.deepEqual(asked, [
      'https://localhost:8443/verify',
      {
        method: 'POST',
        headers: { Authorization: 'Bearer csk_test_x', 'Content-Type': 'application/json' },
        body: JSON.stringify(request.body),
      },
    ]);
  });

  test('Python reads its strings as JSON has them', () => {
    assert.ok(snippet('Python', request).includes(`json=${JSON.stringify(request.body)},`));
  });
});
