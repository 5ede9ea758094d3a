import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTRIES } from './country.ts';
import { typedNamed } from './named.ts';

/** What is taken while the text is typed, letter by letter. */
function takenFrom(text: string): string | undefined {
  for (let end = 1; end <= text.length; end += 1) {
    const code = typedNamed(COUNTRIES, text.slice(0, end));
    if (code !== undefined) return code;
  }
  return undefined;
}

test('whoever types the name of a country never gets another one', () => {
  for (const { code, name } of COUNTRIES) {
    const isBeginning = COUNTRIES.some((other) => other.code !== code && other.name.startsWith(name));
    assert.equal(takenFrom(name), isBeginning ? undefined : code, name);
    assert.equal(takenFrom(`${name},`), code, name);
  }
});

test('a code waits for its end, since it may begin a name', () => {
  assert.equal(takenFrom('DE'), undefined);
  assert.equal(takenFrom('de,'), 'DE');
  assert.equal(takenFrom('Nowhere,'), undefined);
});
