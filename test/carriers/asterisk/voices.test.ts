/** Whether calls can say codes in the languages that are configured: asked at the start, at a reload, and by doctor. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { eventually } from '../../acceptance/client.ts';
import { startReloadable } from '../../reload/rig.ts';
import { AriPeer } from './peer.ts';
import { startRig } from './rig.ts';

/** A speech command: a tone that depends on the text, on standard output. */
const SPEAK = `
const samples = Int16Array.from({ length: 1000 }, (_, i) => 9000 * Math.sin(i / process.argv[1].charCodeAt(0)));
const header = Buffer.alloc(44);
header.write('RIFF\\0\\0\\0\\0WAVEfmt ', 'latin1');
header.writeUInt32LE(16, 16); header.writeUInt16LE(1, 20); header.writeUInt16LE(1, 22);
header.writeUInt32LE(8000, 24); header.writeUInt16LE(16, 34);
header.write('data', 36, 'latin1'); header.writeUInt32LE(2000, 40);
process.stdout.write(Buffer.concat([header, Buffer.from(samples.buffer)]));
`;

const NOTHING = 'Asterisk has no recordings of it, and there is no speech command';

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-test-voices-'));
  await use(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

suite('a look at a voice', () => {
  const look = async (locale: string, options = {}, symbols = '0123456789') => {
    await using rig = await startRig(options);
    return await rig.carrier.checkVoice?.(locale, symbols);
  };

  test('finds no fault where all characters are recorded, or spoken', async () => {
    assert.equal(await look('es-MX'), undefined);
    await withFolder(async (folder) => {
      const speech = { folder, command: [process.execPath, '-e', SPEAK, '{{text}}'] };
      assert.equal(await look('hu', { speech }), undefined);
    });
  });

  test('finds what is neither recorded nor spoken, and what is spoken alike', async () => {
    assert.equal(await look('hu'), NOTHING);
    assert.equal(await look('es', {}, '0123456789Ñ'), NOTHING);
    await withFolder(async (folder) => {
      const speech = { folder, command: [process.execPath, '-e', SPEAK, 'always the same'] };
      assert.equal(await look('hu', { speech }), 'the speech command says 0 and 1 alike');
    });
  });

  test('waits for an Asterisk that comes up later, and ends when the carrier stops', async () => {
    await using rig = await startRig();
    await rig.asterisk.die();
    const looked = rig.carrier.checkVoice?.('hu', '01');
    await rig.asterisk.start();
    assert.equal(await looked, NOTHING);

    await using other = await startRig();
    await other.asterisk.die();
    const inVain = other.carrier.checkVoice?.('hu', '01');
    await other.carrier.stop();
    assert.equal(await inVain, undefined);
    await other.asterisk.start();
  });
});

test('a configured language in which calls cannot say codes is logged at the start and at a reload, and doctor warns', async (t) => {
  const asterisk = await new AriPeer().start();
  t.after(() => asterisk.die());
  const voice = { type: 'asterisk', url: asterisk.url, user: 'otp', password: 'secret', trunk: 'carrier' };
  const configOf = (messages: object) => ({
    messages,
    carriers: { voice },
    routes: [
      { channel: 'voice', carriers: ['voice'] },
      { channel: 'sms', carriers: ['simulator'] },
    ],
  });
  await using reloadable = await startReloadable(configOf({ locales: { HU: 'hu', ES: 'es' } }));
  const { service, reload } = reloadable;
  const told = () =>
    service
      .logs()
      .split('\n')
      .filter((line) => line.includes('calls cannot say codes in a language'))
      .map((line) => JSON.parse(line))
      .map(({ level, carrier, locale, reason }) => [level, carrier, locale, reason]);
  const toldOf = (count: number) => eventually(async () => told().length === count || undefined, 10_000);
  const hungarian = ['error', 'voice', 'hu', NOTHING];
  assert.ok(await toldOf(1));
  assert.deepEqual(told(), [hungarian]);
  assert.match(await service.command('doctor'), /^warn .*no calls in hu: Asterisk has no recordings/m);
  await reload(configOf({ locale: 'ja', locales: { ES: 'es' } }));
  assert.ok(await toldOf(2));
  assert.deepEqual(told(), [hungarian, ['error', 'voice', 'ja', NOTHING]]);
});

test('a service that stops tries no further voice', (t) =>
  withFolder(async (folder) => {
    const asterisk = await new AriPeer().start();
    t.after(() => asterisk.die());
    const slowly = `setTimeout(() => { ${SPEAK} }, 200)`;
    const speech = { folder, command: [process.execPath, '-e', slowly, '{{text}}'] };
    const voice = {
      type: 'asterisk',
      url: asterisk.url,
      user: 'otp',
      password: 'secret',
      trunk: 'carrier',
      speech,
    };
    await using reloadable = await startReloadable({
      messages: { locales: { HU: 'hu', FI: 'fi', DK: 'da', SE: 'sv', NO: 'nb' } },
      carriers: { voice },
      routes: [
        { channel: 'voice', carriers: ['voice'] },
        { channel: 'sms', carriers: ['simulator'] },
      ],
    });
    await eventually(async () => (await readdir(folder)).length > 0 || undefined, 10_000);
    assert.equal(await reloadable.service.stop(), 0);
    const made = (await readdir(folder)).length;
    assert.ok(made < 10, `${made} sounds were made`);
  }));
