import type { WorldEvent } from './event.ts';
import type { Score } from './ledger.ts';
import { Random } from './random.ts';
import { Scene, type Size } from './scene.ts';

/** One run. Each verify that `next` answers must be decided before the next `next`. */
export interface Scenario {
  next(): WorldEvent | undefined;
  decided(ref: string, allowed: boolean): void;
  score(): Score;
  /** What the seed made of it. */
  readonly drawn: Readonly<Record<string, number | string>>;
}

export type Kind = 'honest' | 'attack' | 'mixed';

export interface ScenarioPlan {
  readonly name: string;
  readonly kind: Kind;
  readonly about: string;
  run(seed: number): Scenario;
}

/** Something that happens in a scene, between these times. */
export type Part = (
  scene: Scene,
  window: { readonly from: number; readonly to: number },
  random: Random,
) => void;

/** A day of everyday traffic or two, with something in the middle that takes hours. */
const USUAL: Size = { history: [5, 36], hours: [1, 6], calm: [2.5, 5], perDay: [3_000, 15_000] };

/** Parts of one scenario happen at about the same time. */
export function plan(
  name: string,
  kind: Kind,
  about: string,
  parts: readonly Part[],
  size: Partial<Size> = {},
): ScenarioPlan {
  return { name, kind, about, run: (seed) => run(name, parts, { ...USUAL, ...size }, seed) };
}

function run(name: string, parts: readonly Part[], size: Size, seed: number): Scenario {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ hash(name));
  const scene = new Scene(random, size);
  const { from, to } = scene;
  parts.forEach((part, rank) => {
    const late = rank === 0 ? 0 : random.between(-0.1, 0.3) * (to - from);
    part(scene, { from: Math.max(scene.start, from + late), to }, random.fork());
  });
  return {
    next: () => scene.stage.next(),
    decided: (ref, allowed) => scene.stage.decided(ref, allowed),
    score: () => scene.ledger.score(),
    drawn: scene.drawn,
  };
}

function hash(name: string): number {
  return [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
}
