import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingsView } from '#contract/settings.ts';
import { askedWords } from './asked-words.ts';

const lookup = (name: string, countries: string[] | null): SettingsView['defaults']['lookups'][number] => ({
  ...{ name, countries, tells: ['swapped'], price: 0.02, fails_closed: false },
});

test('who is asked is said in order, with the price and the countries', () => {
  const all = [lookup('swaps', ['DE', 'FR']), lookup('lines', null)];
  assert.equal(
    askedWords(all, 'swapped', 'EUR'),
    'swaps (€0.0200, only for numbers of Germany, France), then lines (€0.0200)',
  );
  assert.equal(askedWords(all, 'recycled', 'EUR'), 'nobody');
  const many = lookup('many', ['DE', 'FR', 'IT', 'ES', 'PT', 'GB']);
  assert.match(askedWords([many], 'swapped', 'EUR'), /only for numbers of 6 countries/);
});
