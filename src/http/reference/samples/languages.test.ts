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

/** What stands in the code between two texts. */
function between(code: string, start: string, end: string): string {
  const from = code.indexOf(start);
  assert.ok(from >= 0, code);
  return code.slice(from + start.length, code.lastIndexOf(end));
}

test('curl: the shell passes the body on unchanged', () => {
  const quoted = curl(REQUEST).split(' -d ')[1];
  const passed = execFileSync('sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(passed), BODY);
});

test('TypeScript: the value is the body', () => {
  assert.equal(
    between(typeScript(REQUEST), 'body: JSON.stringify(', '),\n});'),
    `{
    'a-b': 'it\\'s "\\\\n" \`x\` $HOME',
    list: [true, false, null, 1.5],
    inner: { c: 'd' }
  }`,
  );
});

test('Python: words and texts are Python’s', () => {
  assert.equal(
    between(python(REQUEST), 'data=json.dumps(', ').encode()'),
    `{
        "a-b": "it's \\"\\\\n\\" \`x\` $HOME",
        "list": [True, False, None, 1.5],
        "inner": {"c": "d"}
    }`,
  );
});

test('a short body stands on one line', () => {
  assert.match(curl({ ...REQUEST, body: { id: 'a', code: '1' } }), /-d '\{"id": "a", "code": "1"\}'$/);
});

test('without a body and a token, a sample mentions neither', () => {
  const request: SampleRequest = { method: 'GET', path: '/p', answersJson: false };
  for (const write of [curl, typeScript, python]) {
    assert.doesNotMatch(write(request), /Authorization|Content-Type|POST|-d |data=|json/);
  }
});
