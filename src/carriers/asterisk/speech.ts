/** Sounds made by a speech command: words and phrases in a folder that Asterisk reads. Each is made once. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findRange } from '../../core/message/language-range.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { SpeechOptions } from './options.ts';
import { toTelephoneWave } from './wave.ts';

/** Why there is no sound. Never contains the text. */
type Silence = { readonly ok: false; readonly reason: string };
type Spoken = { readonly ok: true; readonly media: string } | Silence;
type Spelled = { readonly ok: true; readonly media: ReadonlyMap<string, string> } | Silence;

const DIGITS = '0123456789';
/** Every character a code can have. */
const SYMBOLS = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

const COMMAND_TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 16 * 1024 * 1024;
/** How long a failed command is not run for the same language again: its timeout would delay every call. */
const SPARED_MS = 60_000;
/** Maximum number of files, about 50 MB. The oldest are deleted first, and made again if needed. */
const MAX_FILES = 5_000;
const FILE = /^[0-9a-f]{32}\.wav$/;

export class Speech {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #options: SpeechOptions;
  readonly #maxFiles: number;
  readonly #sparedUntil = new Map<string, number>();
  /** By language and alphabet. */
  readonly #compared = new Map<string, Promise<Silence | undefined>>();
  readonly #stopping = new AbortController();
  /** One command at a time: it may be a large model, and each sound should be made only once. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(clock: Pick<Clock, 'steady'>, options: SpeechOptions, maxFiles = MAX_FILES) {
    this.#clock = clock;
    this.#options = options;
    this.#maxFiles = maxFiles;
  }

  /** ARI media URI of a phrase. The phrase must not contain a code. */
  async say(locale: string, phrase: string): Promise<Spoken> {
    const sound = this.#locate(locale, phrase);
    return (await this.#provide(locale, [sound])) ?? { ok: true, media: sound.media };
  }

  /**
   * ARI media URIs of a code's characters. All possible characters are made together and in alphabetical order, so that
   * neither the files nor their times nor the running commands reveal a code. Where two of them sound the same, no code of that
   * alphabet is said: it would be heard as another.
   */
  async spell(locale: string, code: string): Promise<Spelled> {
    const alphabet = [...code].every((symbol) => DIGITS.includes(symbol)) ? DIGITS : SYMBOLS;
    const sounds = [...alphabet].map((symbol) => this.#locate(locale, symbol));
    const fault = (await this.#provide(locale, sounds)) ?? (await this.#compare(locale, sounds));
    return fault ?? { ok: true, media: new Map(sounds.map(({ words, media }) => [words.text, media])) };
  }

  /** Ends the command that runs, and runs no other: the process would wait for them. */
  stop(): void {
    this.#stopping.abort();
  }

  #locate(locale: string, text: string): Sound {
    const { command, voices, folder, folderInAsterisk = folder } = this.#options;
    const words = { text, locale, voice: voices[findRange(locale, Object.keys(voices)) ?? ''] ?? locale };
    const identity = JSON.stringify([command, words]);
    const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    return {
      words,
      path: join(folder, `${name}.wav`),
      media: `sound:${folderInAsterisk.replace(/\/$/, '')}/${name}`,
    };
  }

  /** Makes the missing sounds; returns what went wrong. Does not wait if none is missing. */
  async #provide(locale: string, sounds: readonly Sound[]): Promise<Silence | undefined> {
    if ((await findMissing(sounds)).length === 0) return undefined;
    const turn = this.#queue.then(async () => {
      if (this.#clock.steady() < (this.#sparedUntil.get(locale) ?? 0))
        return silence('the speech command failed recently');
      try {
        for (const { path, words } of await findMissing(sounds)) await this.#make(path, words);
        return undefined;
      } catch (error) {
        this.#sparedUntil.set(locale, this.#clock.steady() + SPARED_MS);
        return silence(describe(error));
      }
    });
    this.#queue = turn;
    return turn;
  }

  #compare(locale: string, sounds: readonly Sound[]): Promise<Silence | undefined> {
    const key = `${locale} ${sounds.length}`;
    const compared = this.#compared.get(key) ?? findAlike(sounds);
    // A file that was just removed is made again by the next call.
    compared.catch(() => this.#compared.delete(key));
    this.#compared.set(key, compared);
    return compared.catch(() => undefined);
  }

  async #make(path: string, words: Words): Promise<void> {
    const { folder, command } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const wave = toTelephoneWave(await runCommand(command, words, this.#stopping.signal));
    // The file must be complete or absent: Asterisk may read it at any moment, and other processes may make the same
    // one.
    const draft = join(folder, `.${randomBytes(8).toString('hex')}`);
    await writeFile(draft, wave, { mode: 0o644 });
    await rename(draft, path);
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const { folder } = this.#options;
    const names = (await readdir(folder)).filter((name) => FILE.test(name));
    if (names.length <= this.#maxFiles) return;
    const files = await Promise.all(
      names.map(async (name) => ({ name, madeAt: (await stat(join(folder, name))).mtimeMs })),
    );
    files.sort((a, b) => a.madeAt - b.madeAt);
    for (const { name } of files.slice(0, names.length - this.#maxFiles)) {
      await rm(join(folder, name), { force: true });
    }
  }
}

interface Words {
  readonly text: string;
  readonly locale: string;
  readonly voice: string;
}

interface Sound {
  readonly words: Words;
  readonly path: string;
  /** ARI media URI. */
  readonly media: string;
}

async function findMissing(sounds: readonly Sound[]): Promise<Sound[]> {
  const exist = await Promise.all(
    sounds.map(({ path }) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return sounds.filter((_, index) => exist[index] === false);
}

/** A voice that does not know a character may say another, without an error. The same words are the same samples, of a voice by rules. */
async function findAlike(sounds: readonly Sound[]): Promise<Silence | undefined> {
  const known = new Map<string, string>();
  for (const { path, words } of sounds) {
    const samples = (await readFile(path)).toString('base64');
    const other = known.get(samples);
    if (other !== undefined) return silence(`the speech command says ${other} and ${words.text} alike`);
    known.set(samples, words.text);
  }
  return undefined;
}

/** The WAV file that the command wrote. Rejects with a reason that may be shown. */
async function runCommand(command: readonly string[], words: Words, signal: AbortSignal): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-speech-'));
  try {
    const file = join(folder, 'speech.wav');
    const values: Readonly<Record<string, string>> = { ...words, file };
    const [program = '', ...args] = command.map((argument) =>
      argument.replace(/\{\{(text|locale|voice|file)\}\}/g, (_, name: string) => values[name] ?? ''),
    );
    const { stdout } = await promisify(execFile)(program, args, {
      cwd: folder,
      encoding: 'buffer',
      timeout: COMMAND_TIMEOUT_MS,
      signal,
      maxBuffer: MAX_OUTPUT,
      // Our own environment may hold secrets.
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    });
    if (!command.some((argument) => argument.includes('{{file}}'))) return stdout;
    return await readFile(file).catch(() => {
      throw new RangeError('the speech command wrote no file');
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function silence(reason: string): Silence {
  return { ok: false, reason };
}

/** The message of a failed command repeats its arguments, so only codes and our own messages are passed on. */
function describe(error: unknown): string {
  if (error instanceof RangeError) return error.message;
  if (!(error instanceof Error)) return 'unknown error';
  if ('killed' in error && error.killed === true) return 'the speech command did not end in time';
  if (!('code' in error)) return error.name;
  if (typeof error.code === 'number') return `the speech command ended with ${error.code}`;
  const spawned = 'syscall' in error && String(error.syscall).startsWith('spawn');
  return `${spawned ? 'the speech command cannot be run' : 'speech.folder cannot be used'}: ${error.code}`;
}
