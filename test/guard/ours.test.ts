/** The service's guard over a cheap selection of the simulated world. `node test/guard/ours.ts` judges it by all of it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createOurs } from './ours.ts';
import { judge } from './run.ts';
import { scenarios } from './world.ts';

function run(name: string, seed: number) {
  const plan = scenarios.find((one) => one.name === name);
  assert.ok(plan, name);
  const { attack, honest } = judge(createOurs(), plan, seed);
  return {
    letThrough: attack.spend === 0 ? 0 : attack.spendAllowed / attack.spend,
    refused: honest.refused / honest.persons,
  };
}

suite('people are sent their codes', () => {
  for (const [name, seed] of [
    ['launch', 1],
    ['television-spot', 2],
    ['onboarding', 1],
    ['poor-country', 2],
    ['outage', 1],
    ['hooked-launch', 1],
    ['one-hooked', 1],
  ] as const) {
    test(`${name} ${seed}: fewer than 1 % are refused`, () => {
      const { refused } = run(name, seed);
      assert.ok(refused < 0.01, `${refused}`);
    });
  }
});

suite('nobody pays for an attack', () => {
  for (const [name, seed] of [
    ['adjacent', 1],
    ['thin', 1],
    ['no-history', 1],
    ['bomb-one', 1],
    ['guessing', 1],
    ['rotating', 1],
    ['hooked-adjacent', 1],
    // Three in ten of the bots confirm.
    ['faked-30', 1],
    ['pumped-outage', 2],
  ] as const) {
    test(`${name} ${seed}: less than 15 % is let through, fewer than 3 % are refused`, () => {
      const { letThrough, refused } = run(name, seed);
      assert.ok(letThrough < 0.15, `${letThrough}`);
      assert.ok(refused < 0.03, `${refused}`);
    });
  }
});
