/** The code that people copy from the portal works unchanged against a newly installed service. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { CERTIFICATE, LANGUAGES, type Language, snippet } from '../../portal/src/format/snippets.ts';
import { freshNumber } from '../acceptance/client.ts';
import { startService } from '../service.ts';

interface Way {
  readonly file: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Variables that the snippet says to set. */
  readonly env?: Readonly<Record<string, string>>;
  /** Fails if what it needs is not installed. */
  readonly probe: readonly string[];
}

const WAYS: Record<Language, Way> = {
  curl: { file: 'verify.sh', program: 'sh', args: [], probe: ['curl', '--version'] },
  TypeScript: {
    ...{ file: 'verify.mts', program: process.execPath, args: [], probe: [process.execPath, '--version'] },
    env: { NODE_EXTRA_CA_CERTS: CERTIFICATE },
  },
  Python: { file: 'verify.py', program: 'python3', args: [], probe: ['python3', '-c', 'import requests'] },
};

function isThere([program = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('each snippet requests a code, with the certificate that the service made itself', async (t) => {
  await using service = await startService();
  const state = await service.client.get('/portal/api/state', { key: null });
  assert.equal(JSON.parse(state.text).own_certificate, true);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-snippet-'));
  t.after(() => rm(folder, { recursive: true }));
  await copyFile(join(service.dataDir, CERTIFICATE), join(folder, CERTIFICATE));
  for (const language of LANGUAGES) {
    const { file, program, args, env, probe } = WAYS[language];
    await t.test(language, { skip: isThere(probe) ? false : `no ${probe.join(' ')}` }, async () => {
      const body = { destination: freshNumber(), channel: 'sms' };
      const code = snippet(language, {
        origin: service.baseUrl,
        path: '/verify',
        body,
        ownCertificate: true,
      });
      for (const [name, value] of Object.entries(env ?? {}))
        assert.match(code, new RegExp(`${name}=${value}`));
      await writeFile(join(folder, file), code);
      const { stdout } = await promisify(execFile)(program, [...args, file], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, COUNTERSIGN_API_KEY: service.key },
      });
      assert.match(stdout, /ver_[0-9a-f]{32}/);
    });
  }
});

test('behind a proxy with a trusted certificate, our own is not mentioned', async () => {
  await using service = await startService({ proxied: true, config: { trustProxy: ['127.0.0.1'] } });
  const { text } = await service.client.get('/portal/api/state', {
    ...{ key: null, headers: { 'x-forwarded-proto': 'https' } },
  });
  assert.equal(JSON.parse(text).own_certificate, false);
});
