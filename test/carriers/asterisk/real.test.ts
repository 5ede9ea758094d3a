/**
 * The whole service with a real Asterisk. Skipped unless `COUNTERSIGN_TEST_ARI` names one, with user and password:
 * `http://otp:secret@127.0.0.1:8088`. It must have
 * - PJSIP endpoints `handset` and `carrier` that lead to a telephone which answers and records, and `busy` (486),
 *   `reject` (603), `unreachable` (480), `unknown` (404), `congested` (503), `badpassword` (407), `noanswer` (rings),
 *   `dead` (no response),
 * - the recordings of that telephone in `COUNTERSIGN_TEST_RECORDINGS`, one WAV file (`*-dec.wav`) a call,
 * - its own recorded prompts in `COUNTERSIGN_TEST_PROMPTS`, as `en/digits/0.wav` and so on.
 *
 * The languages that it has no recordings of are skipped unless `COUNTERSIGN_TEST_SPEECH` has the option `speech` as JSON, with a
 * command that writes to standard output, such as `espeak-ng ... --stdout`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createAsteriskCarrier } from '../../../src/carriers/asterisk/carrier.ts';
import { toTelephoneWave } from '../../../src/carriers/asterisk/wave.ts';
import { eventually } from '../../acceptance/client.ts';
import { type Service, startService } from '../../service.ts';
import { UNHEARD } from '../ports.ts';
import { hearDigits } from './ear.ts';
import { voiceMessage } from './rig.ts';

const {
  COUNTERSIGN_TEST_ARI: ari,
  COUNTERSIGN_TEST_RECORDINGS: recordings = '',
  COUNTERSIGN_TEST_PROMPTS: prompts = '',
  COUNTERSIGN_TEST_SPEECH: written,
} = process.env;
const { origin: url, username: user, password } = new URL(ari ?? 'http://nobody:nothing@127.0.0.1:1');
const account = { type: 'asterisk', url, user, password, callerId: '15550100' } as const;

const start = (options: object, locale?: string) =>
  startService({
    config: {
      limits: { requestsPerKey: [] },
      messages: locale === undefined ? {} : { locale },
      carriers: { calls: { ...account, ...options } },
      routes: [{ channel: 'voice', carriers: ['calls'] }],
    },
  });

const freshNumber = () => `+49151${String(randomInt(1e8)).padStart(8, '0')}`;
const listRecordings = async () =>
  (await readdir(recordings)).filter((name) => name.endsWith('-dec.wav')).sort();

async function delivered(service: Service): Promise<number> {
  const { text } = await service.client.get('/metrics', { key: null });
  const found = /^countersign_verifications_delivered_total\{.*carrier="calls"\} (\d+)$/m.exec(text);
  return Number(found?.[1] ?? 0);
}

async function request(service: Service): Promise<string> {
  const { status, json, text } = await service.client.post('/verify', {
    destination: freshNumber(),
    channel: 'voice',
  });
  assert.equal(status, 200, text);
  return json.id ?? '';
}

/** Makes one call, and returns what was heard in it. */
async function hearCall(service: Service, digits: string): Promise<{ id: string; heard: string }> {
  const before = await listRecordings();
  const id = await request(service);
  assert.ok(await eventually(async () => (await delivered(service)) === 1 || undefined, 60_000));
  const recording = (await listRecordings()).find((name) => !before.includes(name));
  return { id, heard: await hearDigits(join(recordings, recording ?? ''), digits) };
}

/** The digits as the command speaks them to whoever asks, so that a mistaken one in the service's own sounds is noticed. */
async function speakDigits(folder: string, locale: string, command: readonly string[]): Promise<void> {
  for (const digit of '0123456789') {
    const [program = '', ...args] = command.map((argument) =>
      argument.replace('{{voice}}', locale).replace('{{text}}', digit),
    );
    const { stdout } = await promisify(execFile)(program, args, { encoding: 'buffer' });
    await writeFile(join(folder, `${digit}.wav`), toTelephoneWave(stdout));
  }
}

suite('calls through a real Asterisk', { skip: ari === undefined }, () => {
  for (const [trunk, locale] of [
    ['handset', 'en'],
    ['handset', 'es'],
    ['carrier', 'en'],
    ['carrier', 'es'],
    ['handset', 'fr'],
    ['handset', 'it'],
    ['handset', 'ru'],
  ] as const) {
    test(`${locale} over ${trunk}: what is heard is the code`, async () => {
      await using service = await start({ trunk }, locale);
      const { id, heard } = await hearCall(service, join(prompts, locale, 'digits'));
      assert.match(heard, /^(\d{6})\1$/);
      assert.equal((await service.client.confirm(id, heard.slice(0, 6))).status, 200);
    });
  }

  for (const locale of ['ar', 'hi', 'tr', 'uk']) {
    test(`${locale} by the speech command: what is heard is the code`, { skip: !written }, async (t) => {
      const speech: { command: string[] } = JSON.parse(written ?? '');
      const digits = await mkdtemp(join(tmpdir(), 'countersign-test-digits-'));
      t.after(() => rm(digits, { recursive: true }));
      await speakDigits(digits, locale, speech.command);
      await using service = await start({ trunk: 'carrier', speech, englishFallback: false }, locale);
      const { id, heard } = await hearCall(service, digits);
      assert.match(heard, /^(\d{6})\1$/);
      assert.equal((await service.client.confirm(id, heard.slice(0, 6))).status, 200);
    });
  }

  test('100 of 100 calls are made, as many at once as the trunk takes', async () => {
    await using service = await start({ trunk: 'handset', concurrency: 45, rate: '10/1s' });
    for (let i = 0; i < 100; i++) await request(service);
    assert.ok(await eventually(async () => (await delivered(service)) === 100 || undefined, 90_000));
  });

  for (const [trunk, expected] of [
    ['busy', { kind: 'temporary', uncounted: true, reason: 'busy (SIP 486, cause 17)' }],
    ['reject', { kind: 'permanent', reason: 'rejected (SIP 603, cause 21)' }],
    ['unreachable', { kind: 'temporary', uncounted: true, reason: 'unreachable (SIP 480, cause 19)' }],
    ['unknown', { kind: 'permanent', reason: 'unknown number (SIP 404, cause 1)' }],
    ['congested', { kind: 'temporary', reason: 'call failed (SIP 503, cause 34)' }],
    [
      'badpassword',
      { kind: 'temporary', reason: 'account or settings: credentials refused (SIP 407, cause 21)' },
    ],
    ['noanswer', { kind: 'permanent', reason: 'no answer' }],
    ['dead', { kind: 'temporary', reason: 'no response' }],
    ['nowhere', { kind: 'temporary', reason: 'account or settings: Asterisk answered 500' }],
  ] as const) {
    test(`${trunk} ends as documented`, async () => {
      const options = { number: '{{toDigits}}', ringTimeout: 3_000, timeout: 60_000 };
      const carrier = createAsteriskCarrier(
        'calls',
        { ...account, ...options, trunk, englishFallback: true },
        { ...UNHEARD },
      );
      carrier.start();
      await sleep(500);
      const outcome = await carrier.submit(voiceMessage(), { signal: AbortSignal.timeout(60_000) });
      await carrier.stop();
      const { retryAfterMs, ...told } = { retryAfterMs: 0, ...outcome };
      assert.deepEqual(told, expected);
    });
  }
});
