/** Texts that end a literal of a language too early, or mean something else in it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { curl } from './curl.ts';
import { python } from './python.ts';
import type { SampleRequest } from './request.ts';
import { typeScript } from './typescript.ts';

const BODY = { 'a-b': `it's "\\n" \`x\` $HOME`, list: [true, false, null, 1.5], inner: { c: 'd' } };
const REQUEST: SampleRequest = { method: 'POST', path: '/p', body: BODY, answersJson: true };

function line(code: string, start: string): string {
  const found = code.split('\n').find((text) => text.trim().startsWith(start));
  assert.ok(found !== undefined, code);
  return found.trim();
}

test('curl: the shell passes the body on unchanged', () => {
  const quoted = line(curl(REQUEST), '-d ').slice('-d '.length);
  const passed = execFileSync('sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(passed), BODY);
});

test('TypeScript: the value is the body', () => {
  const value = line(typeScript(REQUEST), 'body: JSON.stringify(');
  assert.equal(
    value,
    `body: JSON.stringify({ 'a-b': 'it\\'s "\\\\n" \`x\` $HOME', list: [true, false, null, 1.5], inner: { c: 'd' } }),`,
  );
});

test('Python: words and texts are Python’s', () => {
  assert.equal(
    line(python(REQUEST), 'data='),
    `data=json.dumps({"a-b": "it's \\"\\\\n\\" \`x\` $HOME", "list": [True, False, None, 1.5], "inner": {"c": "d"}}).encode(),`,
  );
});

test('without a body and a token, a sample mentions neither', () => {
  const request: SampleRequest = { method: 'GET', path: '/p', answersJson: false };
  for (const write of [curl, typeScript, python]) {
    assert.doesNotMatch(write(request), /Authorization|Content-Type|POST|-d |data=|json/);
  }
});
