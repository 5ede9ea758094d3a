import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmail, isName } from './name.ts';

/** One of each class that nobody sees; those of one are in no other. */
const UNSEEN: Readonly<Record<string, string>> = {
  'a control': '\u0085',
  'a format that is not ignorable, as of interlinear notes': '\ufff9',
  'half a pair': '\ud800',
  'a line separator': '\u2028',
  'a paragraph separator': '\u2029',
  'an ignorable letter': '\u3164',
  'an override of direction': '\u202e',
};

for (const [what, character] of Object.entries(UNSEEN)) {
  test(`${what} is in no name and no address`, () => {
    assert.equal(isName(`Olive${character}Owner`), false);
    assert.equal(isEmail(`olive${character}@example.com`), false);
    assert.equal(isEmail(`olive@example${character}.com`), false);
  });
}

test('a name has something to see in it', () => {
  for (const name of ['', ' ', '\u00a0', '\u200d', '\ufe0f \u200c']) assert.equal(isName(name), false);
  for (const name of ['a', '7', '.', '€', 'é', '株', '👩‍👧', '❤\ufe0f', 'خانه\u200cدار'])
    assert.equal(isName(name), true);
});

test('an address of mail has two parts, and no space', () => {
  assert.equal(isEmail('olive@example.com'), true);
  for (const email of [
    'olive',
    '@example.com',
    'olive@',
    'o live@example.com',
    'a@b@example.com',
    'olive@ex ample',
  ]) {
    assert.equal(isEmail(email), false);
  }
});
