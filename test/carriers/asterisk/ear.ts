/**
 * Recognises the digits in a recording by the prompts that they were said with.
 *
 * Words are the parts between silences; each is compared with every prompt, at the shifts that trimming leaves open.
 * Through a telephone the right prompt keeps a correlation of 0.98 and more, another digit of the same voice stays
 * below 0.7, and so does every word around the code.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const RATE = 8_000;
/** A fraction of full scale: anything quieter is silence. */
const AUDIBLE = 0.01;
/** Silence is shorter within a word, and longer between words. */
const GAP_S = 0.3;
/** A soft beginning, the s of the French 7, may fall below what is audible. */
const SHIFT_S = 0.1;
/** A last, faint consonant may be lost. */
const LENGTH_S = 0.3;
const HEARD = 0.85;

export async function hearDigits(recording: string, prompts: string): Promise<string> {
  const sound = await readSamples(recording);
  const digits = await Promise.all(
    Array.from({ length: 10 }, async (_, digit) => {
      const [prompt = new Float64Array()] = splitWords(await readSamples(join(prompts, `${digit}.wav`)), 1);
      return prompt;
    }),
  );
  return splitWords(sound, GAP_S)
    .map((word) => {
      const matches = digits.map((prompt, digit) => ({ digit, likeness: compare(word, prompt) }));
      const [best] = matches.sort((a, b) => b.likeness - a.likeness);
      return best !== undefined && best.likeness > HEARD ? best.digit : '';
    })
    .join('');
}

/** Mono PCM of 16 bits at 8 kHz; a file that is still being written has no length yet. */
async function readSamples(path: string): Promise<Float64Array> {
  const file = await readFile(path);
  const start = file.indexOf('data', 12, 'latin1') + 8;
  return Float64Array.from({ length: (file.length - start) >> 1 }, (_, index) => {
    return file.readInt16LE(start + 2 * index) / 32_768;
  });
}

function splitWords(sound: Float64Array, gapS: number): Float64Array[] {
  const words: Float64Array[] = [];
  let [from, last] = [-1, -1];
  for (const [index, sample] of sound.entries()) {
    if (Math.abs(sample) < AUDIBLE) continue;
    if (from >= 0 && index - last > gapS * RATE) {
      words.push(sound.subarray(from, last + 1));
      from = index;
    }
    if (from < 0) from = index;
    last = index;
  }
  if (from >= 0) words.push(sound.subarray(from, last + 1));
  return words;
}

/** The best correlation over all shifts, at most 1. */
function compare(word: Float64Array, prompt: Float64Array): number {
  const reach = SHIFT_S * RATE;
  if (Math.abs(word.length - prompt.length) > LENGTH_S * RATE) return 0;
  const scale = Math.sqrt(energy(word) * energy(prompt));
  let best = 0;
  for (let shift = -reach; shift <= reach; shift++) {
    let sum = 0;
    const end = Math.min(word.length, prompt.length - shift);
    for (let index = Math.max(0, -shift); index < end; index++) {
      sum += (word[index] ?? 0) * (prompt[index + shift] ?? 0);
    }
    best = Math.max(best, sum / scale);
  }
  return best;
}

function energy(samples: Float64Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}
