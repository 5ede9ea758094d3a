import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Prompts } from './prompts.ts';
import { findRecording } from './prompts.ts';
import { writeScript } from './script.ts';

const DIGITS = new Set('0123456789');
const prompts: Prompts = new Map([
  ['en', new Set([...DIGITS, 'K'])],
  ['es', DIGITS],
  ['es_MX', DIGITS],
  ['de', new Set('123')],
  ['pt_BR', DIGITS],
  ['it_IT_f_Menardi', DIGITS],
  ['cmn', DIGITS],
]);

suite('recordings', () => {
  test('are found by the tag or the nearest of its language, and only with every character', () => {
    const found = (locale: string, code: string) => findRecording(prompts, locale, code)?.language;
    assert.equal(found('es', '907155'), 'es');
    assert.equal(
      found('it', '907155'),
      'it_IT_f_Menardi',
      'as a package of Debian has it, and none under `it`',
    );
    assert.equal(found('es-MX', '907155'), 'es_MX');
    assert.equal(found('es-AR', '907155'), 'es');
    assert.equal(found('pt', '907155'), 'pt_BR');
    assert.equal(found('zh-CN', '907155'), 'cmn');
    assert.equal(found('yue', '907155'), undefined);
    assert.equal(found('de', '123123'), 'de');
    assert.equal(found('de', '123124'), undefined);
    assert.equal(found('en', '4K'), 'en');
    assert.equal(found('es', '4K'), undefined);
    assert.equal(found('', '1'), undefined);
  });
});

suite('script', () => {
  const written = (text: string, locale = 'en', sources = prompts) =>
    writeScript(
      { text, locale, code: '12' },
      { prompts: sources, speech: undefined, pause: 2, englishFallback: true, log: () => {} },
    );

  test('for a text that does not hold the code as calls spell it says only the code', async () => {
    const steps = await written('Hello, this is no sentence for a call');
    assert.ok(!('speechless' in steps) && steps.some(({ media }) => media.includes('sound:digits/1')));
  });

  test('puts the important sound last in each step, because Asterisk reports only the last one', async () => {
    const steps = await written('Code: 1, 2. Code: 1, 2.');
    assert.deepEqual('speechless' in steps || steps.filter(({ vital }) => vital).map(({ media }) => media), [
      ['sound:digits/1'],
      ['sound:silence/2', 'sound:digits/2'],
    ]);
  });

  test('says the words around the code, with a pause before its first character', async () => {
    const speech = {
      say: async (_: string, phrase: string) => ({ ok: true, media: `sound:/s/${phrase}` }) as const,
      spell: async () => ({ ok: false, reason: 'unused' }) as const,
    };
    const text = 'Code: 1, 2 for you. Code: 1, 2 for you.';
    const steps = await writeScript(
      { text, locale: 'en', code: '12' },
      { prompts, speech, pause: 1, englishFallback: true, log: () => {} },
    );
    assert.deepEqual('speechless' in steps || steps.map(({ media }) => media), [
      ['sound:silence/1'],
      ['sound:/s/Code:'],
      ['sound:silence/1', 'sound:digits/1'],
      ['sound:silence/1', 'sound:digits/2'],
      ['sound:/s/for you.'],
    ]);
    assert.deepEqual('speechless' in steps || steps.map(({ vital }) => vital), [
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test('is missing if nothing can say it', async () => {
    assert.deepEqual(await written('Code: 1, 2. Code: 1, 2.', 'ja', new Map()), { speechless: 'en' });
  });

  const call = {
    text: 'コード：1、2。コード：1、2。',
    locale: 'ja',
    code: '12',
    english: 'Code: 1, 2. Code: 1, 2.',
  };
  const speech = {
    say: async (locale: string, phrase: string) =>
      ({ ok: true, media: `sound:/${locale}/${phrase}` }) as const,
    spell: async () => ({ ok: false, reason: 'no such voice' }) as const,
  };

  test('is in English, words and code, if the language has neither recordings nor speech', async () => {
    const steps = await writeScript(call, {
      prompts,
      speech,
      pause: 0,
      englishFallback: true,
      log: () => {},
    });
    assert.ok(!('speechless' in steps));
    const heard = steps.flatMap(({ media }) => media).filter((media) => media !== 'sound:silence/1');
    assert.deepEqual(heard, ['sound:/en/Code:', 'sound:digits/1', 'sound:digits/2']);
    assert.deepEqual(new Set(steps.map(({ language }) => language)), new Set(['en']));
  });

  test('is missing for a language that cannot be spoken if the English fallback is off', async () => {
    const steps = await writeScript(call, {
      prompts,
      speech,
      pause: 0,
      englishFallback: false,
      log: () => {},
    });
    assert.deepEqual(steps, { speechless: 'ja' });
  });
});
