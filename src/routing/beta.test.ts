import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBeta, type UniformRandom } from './beta.ts';

/** Weyl's golden ratio sequence would be too even for rejection sampling; a linear congruential generator is good enough. */
function repeatable(): UniformRandom {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

for (const [alpha, beta] of [
  [0.3, 0.2],
  [1, 1],
  [1.6, 0.4],
  [3, 9],
  [920, 80],
  [0.01, 500],
] as const) {
  test(`draws of Beta(${alpha}, ${beta}) have its mean and variance`, () => {
    const random = repeatable();
    const draws = Array.from({ length: 20_000 }, () => drawBeta(alpha, beta, random));
    assert.ok(draws.every((draw) => draw >= 0 && draw <= 1));
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
    const total = alpha + beta;
    const trueVariance = (alpha * beta) / (total ** 2 * (total + 1));
    assert.ok(Math.abs(mean - alpha / total) < 5 * Math.sqrt(trueVariance / draws.length), `${mean}`);
    assert.ok(Math.abs(variance / trueVariance - 1) < 0.25, `${variance} instead of ${trueVariance}`);
  });
}
