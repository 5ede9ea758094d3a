import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { generate } from 'selfsigned';
import { StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import { type OwnPostgres, startOwnPostgres } from '../../postgres.ts';
import { openNode } from './rig.ts';

const certificateFor = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });

suite('TLS to PostgreSQL', () => {
  let folder: string;
  let postgres: OwnPostgres;
  let url: URL;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-tls-'));
    chmodSync(folder, 0o755);
    const own = await certificateFor('localhost');
    const other = await certificateFor('localhost');
    writeFileSync(join(folder, 'own.pem'), own.cert);
    writeFileSync(join(folder, 'other.pem'), other.cert);
    const key = join(folder, 'key.pem');
    writeFileSync(key, own.private, { mode: 0o600 });
    // The server reads its key as the user that it runs as.
    if (userInfo().uid === 0)
      chownSync(key, Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), 0);
    postgres = await startOwnPostgres(() => [
      ...['-c', 'ssl=on', '-c', `ssl_cert_file=${join(folder, 'own.pem')}`, '-c', `ssl_key_file=${key}`],
    ]);
    url = new URL(await postgres.createDatabase());
    url.hostname = 'localhost';
  });
  after(async () => {
    await postgres.dispose();
    await rm(folder, { recursive: true });
  });

  const withTls = (ca: string, hostname = 'localhost') => {
    const own = new URL(url);
    own.hostname = hostname;
    own.searchParams.set('sslmode', 'verify-full');
    if (ca !== '') own.searchParams.set('sslrootcert', join(folder, ca));
    return own.href;
  };

  test('a certificate of the authority named is accepted', async () => {
    const store = await openNode(withTls('own.pem'));
    await store.check();
    await store.close();
  });

  test('one of another authority is not, nor one that no public authority knows', async () => {
    for (const ca of ['other.pem', '']) await assert.rejects(openNode(withTls(ca)), StoreUnavailable);
  });

  test('one for another name is not', async () => {
    await assert.rejects(openNode(withTls('own.pem', '127.0.0.1')), StoreUnavailable);
  });
});
