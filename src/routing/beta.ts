/** Random numbers from a beta distribution, for drawing how good a carrier may be. */

/** Uniform in [0, 1), like Math.random. */
export type UniformRandom = () => number;

/** One draw from Beta(alpha, beta), both above 0: X / (X + Y) of two gamma distributions. */
export function drawBeta(alpha: number, beta: number, random: UniformRandom): number {
  const x = drawGamma(alpha, random);
  const y = drawGamma(beta, random);
  return x + y > 0 ? x / (x + y) : alpha / (alpha + beta);
}

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); section 6 for shapes below 1. */
function drawGamma(shape: number, random: UniformRandom): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Box and Muller. */
export function drawNormal(random: UniformRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
