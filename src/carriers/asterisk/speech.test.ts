import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { Speech } from './speech.ts';

/** A speech command: records its arguments in `said`, and writes a tone of their own to a file or to standard output; 7 is as 6 in Sinhala. */
const SPEAK = `
const { appendFileSync, writeFileSync } = require('node:fs');
const [said, text, voice, file] = process.argv.slice(1);
appendFileSync(said, JSON.stringify({ text, voice, secret: process.env.COUNTERSIGN_SECRET }) + '\\n');
if (text === 'fail') process.exit(3);
const tone = 1 / (voice === 'si' && text === '7' ? '6' : text).charCodeAt(0);
const wave = Buffer.alloc(2044);
wave.write('RIFF\\0\\0\\0\\0WAVEfmt ', 'latin1');
wave.writeUInt32LE(16, 16); wave.writeUInt16LE(1, 20); wave.writeUInt16LE(1, 22);
wave.writeUInt32LE(8000, 24); wave.writeUInt16LE(16, 34);
wave.write('data', 36, 'latin1'); wave.writeUInt32LE(2000, 40);
for (let i = 0; i < 1000; i++) wave.writeInt16LE(Math.round(9000 * Math.sin(i * tone)), 44 + 2 * i);
if (file) writeFileSync(file, wave); else process.stdout.write(wave);
`;

async function withFolder(
  use: (folder: string, said: () => Promise<{ text: string; voice: string }[]>) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-test-speech-'));
  await writeFile(join(folder, 'said'), '');
  const said = async () =>
    (await readFile(join(folder, 'said'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  try {
    await use(folder, said);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function optionsIn(folder: string, ...output: string[]) {
  const command = [process.execPath, '-e', SPEAK, join(folder, 'said'), '{{text}}', '{{voice}}', ...output];
  return {
    folder: join(folder, 'sounds'),
    folderInAsterisk: '/sounds/',
    command,
    voices: { 'pt-BR': 'pt-br' },
  };
}

suite('speech', () => {
  for (const [where, output] of [
    ['a file', ['{{file}}']],
    ['standard output', []],
  ] as const) {
    test(`is taken from ${where}, and made once`, () =>
      withFolder(async (folder, said) => {
        const options = optionsIn(folder, ...output);
        const first = await new Speech(SYSTEM_CLOCK, options).say('pt-BR', 'Seu código é:');
        assert.ok(first.ok);
        assert.match(first.media, /^sound:\/sounds\/[0-9a-f]{32}$/);
        assert.deepEqual(await new Speech(SYSTEM_CLOCK, options).say('pt-BR', 'Seu código é:'), first);
        assert.deepEqual(await said(), [{ text: 'Seu código é:', voice: 'pt-br' }]);
        const [file = '', ...others] = await readdir(options.folder);
        assert.deepEqual(others, []);
        assert.equal(first.media, `sound:/sounds/${file.replace('.wav', '')}`);
      }));
  }

  test('a voice of a language and script is that of every region, and one of a region of no other', () =>
    withFolder(async (folder, said) => {
      const voices = { 'pt-BR': 'pt-br', 'zh-Hant': 'cmn' };
      const speech = new Speech(SYSTEM_CLOCK, { ...optionsIn(folder), voices });
      for (const locale of ['zh-TW', 'pt', 'pt-PT', 'nn']) assert.ok((await speech.say(locale, 'x')).ok);
      assert.deepEqual(
        (await said()).map(({ voice }) => voice),
        ['cmn', 'pt', 'pt-PT', 'nn'],
      );
    }));

  test('a code leaves no trace: every character is made, in alphabetical order, and the code appears nowhere', () =>
    withFolder(async (folder, said) => {
      const speech = new Speech(SYSTEM_CLOCK, optionsIn(folder));
      const spelled = await speech.spell('de', '7703');
      assert.ok(spelled.ok);
      assert.equal(new Set([...'7703'].map((digit) => spelled.media.get(digit))).size, 3);
      assert.equal((await said()).map(({ text }) => text).join(''), '0123456789');
      assert.equal((await readdir(join(folder, 'sounds'))).length, 10);
      await speech.spell('de', '123456');
      assert.equal((await said()).length, 10);
    }));

  test('no code is said by a voice that says two of its characters alike', () =>
    withFolder(async (folder) => {
      const options = optionsIn(folder);
      const reason = 'the speech command says 6 and 7 alike';
      const speech = new Speech(SYSTEM_CLOCK, options);
      assert.deepEqual(await speech.spell('si', '1234'), { ok: false, reason }, 'neither is in the code');
      assert.deepEqual(await speech.spell('si', '1234'), { ok: false, reason });
      assert.ok((await speech.spell('de', '1234')).ok);
      assert.ok((await speech.spell('de', 'A234')).ok);
      const restarted = new Speech(SYSTEM_CLOCK, options);
      assert.deepEqual(await restarted.spell('si', '67'), { ok: false, reason }, 'the files are there');
      assert.ok((await restarted.say('si', 'x')).ok);
    }));

  test('a text is never read by a shell, and the command never sees our secrets', () =>
    withFolder(async (folder, said) => {
      process.env.COUNTERSIGN_SECRET = 'must not be seen';
      try {
        const text = '$(touch /tmp/x); `id` "{{file}}" & {{voice}}';
        assert.ok((await new Speech(SYSTEM_CLOCK, optionsIn(folder)).say('en', text)).ok);
        assert.deepEqual(await said(), [{ text, voice: 'en' }]);
      } finally {
        delete process.env.COUNTERSIGN_SECRET;
      }
    }));

  test('a command that fails is not run for a while in that language, and its text is not shown', () =>
    withFolder(async (folder, said) => {
      const speech = new Speech(SYSTEM_CLOCK, optionsIn(folder));
      assert.deepEqual(await speech.say('de', 'fail'), {
        ok: false,
        reason: 'the speech command ended with 3',
      });
      assert.deepEqual(await speech.say('de', 'Ihr Code'), {
        ok: false,
        reason: 'the speech command failed recently',
      });
      assert.ok((await speech.say('nl', 'Je code')).ok);
      assert.equal((await said()).length, 2);
    }));

  test('a missing command or folder is reported', () =>
    withFolder(async (folder) => {
      const missing = { ...optionsIn(folder), command: [join(folder, 'nobody')] };
      assert.deepEqual(await new Speech(SYSTEM_CLOCK, missing).say('en', 'x'), {
        ok: false,
        reason: 'the speech command cannot be run: ENOENT',
      });
      const silent = { ...optionsIn(folder, '{{file}}'), command: ['true', '{{file}}'] };
      assert.deepEqual(await new Speech(SYSTEM_CLOCK, silent).say('en', 'x'), {
        ok: false,
        reason: 'the speech command wrote no file',
      });
      const blocked = { ...optionsIn(folder), folder: join(folder, 'said') };
      const { ok, reason } = { reason: '', ...(await new Speech(SYSTEM_CLOCK, blocked).say('en', 'x')) };
      assert.deepEqual([ok, reason.replace(/E[A-Z]+$/, '')], [false, 'speech.folder cannot be used: ']);
    }));

  test('the folder is limited in size, and only our sounds are removed from it', () =>
    withFolder(async (folder) => {
      const options = optionsIn(folder);
      await mkdir(options.folder);
      await writeFile(join(options.folder, 'mine.wav'), '');
      const speech = new Speech(SYSTEM_CLOCK, options, 3);
      const words = ['one', 'two', 'three', 'four', 'five'];
      for (const word of words) assert.ok((await speech.say('en', word)).ok);
      assert.equal((await readdir(options.folder)).length, 4);
      for (const word of words) assert.ok((await speech.say('en', word)).ok, 'what went is made again');
      assert.ok((await readdir(options.folder)).includes('mine.wav'));
    }));

  test('the same sound requested many times at once is made once', () =>
    withFolder(async (folder, said) => {
      const speech = new Speech(SYSTEM_CLOCK, optionsIn(folder));
      const all = await Promise.all(Array.from({ length: 20 }, () => speech.say('en', 'Your code is:')));
      assert.equal(new Set(all.map((spoken) => spoken.ok && spoken.media)).size, 1);
      assert.equal((await said()).length, 1);
    }));
});
