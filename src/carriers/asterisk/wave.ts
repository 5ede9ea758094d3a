/** Converts the WAV files of speech commands to what the telephone network expects (8 kHz, 16 bit, mono). */

const TELEPHONE_RATE = 8_000;
/** Of full scale: as loud as recorded prompts, with headroom for codecs. */
const PEAK = 0.6;
/** Of the loudest sample. Anything quieter at either end is silence, which only makes the call longer. */
const AUDIBLE = 0.02;
const MARGIN_S = 0.03;
/** Lobes of the low-pass filter on either side of a sample: the more, the steeper. */
const LOBES = 16;
/** Of the lower of both rates: a little below half, where the filter has fallen off. */
const CUTOFF = 0.46;

interface Sound {
  readonly rate: number;
  /** Mono, -1 to 1. */
  readonly samples: Float64Array;
}

/** @throws RangeError that says what is wrong with the file */
export function toTelephoneWave(file: Buffer): Buffer {
  return writeWave(level(trim(resample(readWave(file)))));
}

/** Reads 16-bit PCM. A length that is missing or too long, as in a file written to a pipe, means: to the end. */
function readWave(file: Buffer): Sound {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    throw new RangeError('the speech command wrote no WAV file');
  }
  let format: { readonly channels: number; readonly rate: number } | undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const id = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, at + 8 + length);
    if (id === 'fmt ') format = readFormat(body);
    if (id === 'data') {
      if (format === undefined) break;
      return { rate: format.rate, samples: readSamples(body, format.channels) };
    }
    at += 8 + length + (length % 2);
  }
  throw new RangeError('the speech command wrote a WAV file without sound');
}

function readFormat(body: Buffer): { readonly channels: number; readonly rate: number } {
  const [PCM, EXTENSIBLE] = [1, 0xfffe];
  if (body.length < 16 || ![PCM, EXTENSIBLE].includes(body.readUInt16LE(0)) || body.readUInt16LE(14) !== 16) {
    throw new RangeError('the speech command wrote a WAV file that is not 16-bit PCM');
  }
  const [channels, rate] = [body.readUInt16LE(2), body.readUInt32LE(4)];
  if (channels < 1 || channels > 8 || rate < TELEPHONE_RATE || rate > 192_000) {
    throw new RangeError('the speech command wrote a WAV file with an unusual rate');
  }
  return { channels, rate };
}

function readSamples(body: Buffer, channels: number): Float64Array {
  const frames = Math.floor(body.length / (2 * channels));
  return Float64Array.from({ length: frames }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += body.readInt16LE(2 * (frame * channels + channel));
    return sum / channels / 32_768;
  });
}

/** Band-limited interpolation: a sinc under a Hann window. Without it anything above 4 kHz would come back as noise. */
function resample({ rate, samples }: Sound): Sound {
  if (rate === TELEPHONE_RATE) return { rate, samples };
  const step = rate / TELEPHONE_RATE;
  const cutoff = (2 * CUTOFF) / step;
  const reach = LOBES * step;
  const length = Math.floor(samples.length / step);
  const resampled = Float64Array.from({ length }, (_, index) => {
    const centre = index * step;
    const last = Math.min(samples.length - 1, Math.floor(centre + reach));
    let sum = 0;
    for (let at = Math.max(0, Math.ceil(centre - reach)); at <= last; at++) {
      const distance = at - centre;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach);
      sum += (samples[at] ?? 0) * cutoff * sinc(cutoff * distance) * window;
    }
    return sum;
  });
  return { rate: TELEPHONE_RATE, samples: resampled };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function trim({ rate, samples }: Sound): Sound {
  const threshold = AUDIBLE * loudest(samples);
  const isLoud = (sample: number) => Math.abs(sample) > threshold;
  const margin = Math.round(MARGIN_S * rate);
  const from = Math.max(0, samples.findIndex(isLoud) - margin);
  return { rate, samples: samples.subarray(from, samples.findLastIndex(isLoud) + 1 + margin) };
}

/** @throws RangeError for silence: a voice that does not know a character writes an empty file without an error */
function level({ rate, samples }: Sound): Sound {
  const peak = loudest(samples);
  if (peak < 1e-3) throw new RangeError('the speech command wrote silence');
  return { rate, samples: samples.map((sample) => (sample * PEAK) / peak) };
}

function loudest(samples: Float64Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

function writeWave({ rate, samples }: Sound): Buffer {
  const file = Buffer.alloc(44 + 2 * samples.length);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + 2 * samples.length, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(2 * rate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * samples.length, 40);
  for (const [index, sample] of samples.entries()) {
    file.writeInt16LE(Math.round(sample * 32_767), 44 + 2 * index);
  }
  return file;
}
