import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { toTelephoneWave } from './wave.ts';

interface Shape {
  readonly rate: number;
  readonly channels?: number;
  readonly seconds?: number;
  /** As written by a program that does not know the length yet. */
  readonly length?: number;
}

/** A WAV file of a tone, with silence around it. */
function tone(hertz: number, { rate, channels = 1, seconds = 0.5, length }: Shape): Buffer {
  const frames = Math.round(rate * (seconds + 1));
  const data = Buffer.alloc(2 * channels * frames);
  for (let frame = 0; frame < frames; frame++) {
    const time = frame / rate;
    const sounds = time >= 0.5 && time < 0.5 + seconds;
    const sample = sounds ? Math.round(8_000 * Math.sin(2 * Math.PI * hertz * time)) : 0;
    for (let channel = 0; channel < channels; channel++)
      data.writeInt16LE(sample, 2 * (frame * channels + channel));
  }
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(length ?? data.length, 40);
  return Buffer.concat([head, data]);
}

function samplesOf(wave: Buffer): number[] {
  assert.equal(wave.readUInt32LE(24), 8_000);
  assert.equal(wave.readUInt32LE(40), wave.length - 44);
  return Array.from({ length: (wave.length - 44) / 2 }, (_, index) => wave.readInt16LE(44 + 2 * index));
}

/** Amplitude of one frequency, by Goertzel's sum. */
function strength(samples: readonly number[], hertz: number): number {
  let [re, im] = [0, 0];
  for (const [index, sample] of samples.entries()) {
    re += sample * Math.cos((2 * Math.PI * hertz * index) / 8_000);
    im += sample * Math.sin((2 * Math.PI * hertz * index) / 8_000);
  }
  return (2 * Math.hypot(re, im)) / samples.length;
}

suite('telephone wave', () => {
  for (const shape of [
    { rate: 8_000 },
    { rate: 16_000 },
    { rate: 22_050 },
    { rate: 24_000 },
    { rate: 48_000, channels: 2 },
    { rate: 22_050, length: 0x7fff_0000 },
  ]) {
    test(`of ${JSON.stringify(shape)} has the same tone, without the silence around it`, () => {
      const samples = samplesOf(toTelephoneWave(tone(1_000, shape)));
      assert.ok(Math.abs(samples.length / 8_000 - 0.56) < 0.02, `${samples.length} samples`);
      assert.ok(Math.abs(Math.max(...samples) - 0.6 * 32_767) < 200);
      assert.ok(strength(samples, 1_000) > 15_000);
    });
  }

  test('has no frequencies that a telephone cannot carry', () => {
    const [low, high] = [tone(1_000, { rate: 22_050 }), tone(6_500, { rate: 22_050 })];
    const mixed = Buffer.from(low);
    for (let at = 44; at < mixed.length; at += 2)
      mixed.writeInt16LE(low.readInt16LE(at) + high.readInt16LE(at), at);
    const samples = samplesOf(toTelephoneWave(mixed));
    // 6.5 kHz folds back to 1.5 kHz.
    assert.ok(strength(samples, 1_500) < strength(samples, 1_000) / 100);
  });

  test('of silence is refused: a voice that lacks a word must not count as speech', () => {
    assert.throws(() => toTelephoneWave(tone(0, { rate: 22_050 })), /silence/);
    assert.throws(() => toTelephoneWave(tone(440, { rate: 8_000, seconds: 0 })), /silence/);
  });

  test('of anything else is refused with an explanation', () => {
    const good = tone(440, { rate: 8_000, seconds: 0.05 });
    for (const bad of [Buffer.alloc(0), good.subarray(0, 30), Buffer.from('{"error":"no such voice"}')]) {
      assert.throws(() => toTelephoneWave(bad), RangeError);
    }
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 43 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
        (edits) => {
          const file = Buffer.from(good);
          for (const [at, octet] of edits) file[at] = octet;
          try {
            toTelephoneWave(file);
          } catch (error) {
            assert.ok(error instanceof RangeError && error.message.startsWith('the speech command wrote'));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
