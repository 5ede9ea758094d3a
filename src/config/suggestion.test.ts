import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findNearest, listChoices } from './suggestion.ts';

test('the nearest candidate is found; a distant one is not', () => {
  assert.equal(findNearest('lenght', ['alphabet', 'length']), 'length');
  assert.equal(findNearest('validfor', ['validFor']), 'validFor');
  assert.equal(findNearest('prot', ['host', 'port']), 'port');
  assert.equal(findNearest('colour', ['port', 'host']), undefined);
  assert.equal(findNearest('x', []), undefined);
});

test('a candidate with one character changed is found again', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,12}$/), fc.nat(), (word, at) => {
      const index = at % word.length;
      assert.equal(
        findNearest(`${word.slice(0, index)}#${word.slice(index + 1)}`, ['zzzzzzzzzzzzzzzz', word]),
        word,
      );
    }),
  );
});

test('choices read as a sentence', () => {
  assert.equal(listChoices([]), '');
  assert.equal(listChoices(['a']), 'a');
  assert.equal(listChoices(['a', 'b', 'c']), 'a, b or c');
});
