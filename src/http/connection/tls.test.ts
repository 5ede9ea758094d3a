import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect as connectPlain } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { createFixture, createTestLog, readToEnd, servedFingerprint, temporaryKeyPair } from '../fixture.ts';
import { readKeyPair } from './key-pair.ts';
import { ensureSelfSigned, watchKeyPair } from './tls.ts';
import { findTransport } from './transport.ts';

async function fingerprint(file: string): Promise<string> {
  return new X509Certificate(await readFile(file)).fingerprint256;
}

async function expiry(file: string): Promise<number> {
  return Date.parse(new X509Certificate(await readFile(file)).validTo);
}

/** Waits for what another timer brings about; the runner's own timeout ends a wait in vain. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('the self-signed certificate', () => {
  it('is made once, for this machine, with a key that only its owner can read', async (t) => {
    const files = await temporaryKeyPair(t);
    const certificate = new X509Certificate(await readFile(files.cert));
    for (const name of ['localhost']) assert.ok(certificate.checkHost(name));
    for (const ip of ['127.0.0.1', '::1']) assert.ok(certificate.checkIP(ip), ip);
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
    assert.equal((await stat(files.key)).mode & 0o777, 0o600);
    await ensureSelfSigned(dirname(files.cert));
    assert.equal(await fingerprint(files.cert), certificate.fingerprint256);
  });

  it('is made without leaving in the process what it was made with', async (t) => {
    await temporaryKeyPair(t);
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    assert.ok(loaded.length > 0);
    assert.deepEqual(
      loaded.filter((file) => file.includes('@peculiar')),
      [],
    );
  });

  it('is made again a month before it expires', async (t) => {
    const files = await temporaryKeyPair(t);
    const [first, until] = [await fingerprint(files.cert), await expiry(files.cert)];
    const left = (days: number) => until - days * 86_400_000;
    t.mock.timers.enable({ apis: ['Date'], now: left(31) });
    await ensureSelfSigned(dirname(files.cert));
    assert.equal(await fingerprint(files.cert), first);
    t.mock.timers.setTime(left(29));
    await ensureSelfSigned(dirname(files.cert));
    assert.notEqual(await fingerprint(files.cert), first);
    assert.ok((await expiry(files.cert)) > until);
  });

  it('is made again where the clock was ahead when it was made', async (t) => {
    const files = await temporaryKeyPair(t);
    const { validFromDate, fingerprint256 } = new X509Certificate(await readFile(files.cert));
    t.mock.timers.enable({ apis: ['Date'], now: validFromDate.getTime() });
    await ensureSelfSigned(dirname(files.cert));
    assert.equal(await fingerprint(files.cert), fingerprint256);
    t.mock.timers.setTime(validFromDate.getTime() - 1_000);
    await ensureSelfSigned(dirname(files.cert));
    const made = new X509Certificate(await readFile(files.cert));
    assert.ok(made.validFromDate.getTime() <= Date.now());
  });

  it('is made again when the pair is broken', async (t) => {
    const files = await temporaryKeyPair(t);
    await writeFile(files.cert, 'broken');
    await ensureSelfSigned(dirname(files.cert));
    await assert.doesNotReject(readKeyPair(files));
  });

  it('is not written into the folder of another process', async (t) => {
    const files = await temporaryKeyPair(t);
    const [folder, refused] = [dirname(files.cert), new Error('another process serves from here')];
    await rm(files.cert);
    const key = await readFile(files.key, 'utf8');
    // Rejects while another process still makes the pair.
    const owned = new Promise<never>((_, reject) => setImmediate(reject, refused));
    owned.catch(() => {});
    await assert.rejects(ensureSelfSigned(folder, { owned }), refused);
    assert.equal(await readFile(files.key, 'utf8'), key);
    await assert.rejects(stat(files.cert), { code: 'ENOENT' });
  });
});

describe('the self-signed certificate’s names', () => {
  it('are added by a new one, which is said, and kept by the one that has them', async (t) => {
    const files = await temporaryKeyPair(t);
    const folder = dirname(files.cert);
    const lines: Record<string, unknown>[] = [];
    const log = createTestLog(lines);
    const first = await fingerprint(files.cert);
    await ensureSelfSigned(folder, { names: ['localhost', '127.0.0.1'], log });
    assert.deepEqual([await fingerprint(files.cert), lines], [first, []], 'it has these already');

    await ensureSelfSigned(folder, { names: ['localhost', 'countersign', '10.0.0.5'], log });
    const second = new X509Certificate((await readKeyPair(files)).cert);
    assert.notEqual(second.fingerprint256, first);
    for (const name of ['localhost', 'countersign']) assert.equal(second.checkHost(name), name);
    assert.equal(second.checkIP('10.0.0.5'), '10.0.0.5');
    assert.deepEqual(
      lines.map(({ names }) => names),
      [['countersign', '10.0.0.5']],
    );
    assert.match(
      String(lines[0]?.msg),
      /a new one was made; clients that trust the old file need the new one/,
    );

    for (const names of [['Countersign', '10.0.0.5'], ['countersign'], []]) {
      await ensureSelfSigned(folder, { names, log });
      assert.deepEqual([await fingerprint(files.cert), lines.length], [second.fingerprint256, 1]);
    }
  });

  it('never touch a pair that the operator gave', async (t) => {
    const files = await temporaryKeyPair(t);
    const before = await fingerprint(files.cert);
    const options = { trustProxy: [], dataDir: join(dirname(files.cert), 'data') };
    const [log, owned] = [createTestLog(), Promise.resolve()];
    const transport = await findTransport(
      { ...options, tls: { ...files, names: ['countersign'] } },
      log,
      owned,
    );
    assert.deepEqual(transport, { kind: 'tls', ...files });
    assert.equal(await fingerprint(files.cert), before);
    await assert.rejects(stat(options.dataDir), { code: 'ENOENT' });
  });
});

describe('the certificate’s files', () => {
  it('are refused when certificate and key do not belong together', async (t) => {
    const [one, other] = [await temporaryKeyPair(t), await temporaryKeyPair(t)];
    await assert.rejects(readKeyPair({ cert: one.cert, key: other.key }), /do not belong together/);
    await assert.rejects(readKeyPair({ cert: one.cert, key: '/nowhere' }));
  });

  it('are read again when they change, and a broken pair leaves the old one in use', async (t) => {
    const told: number[] = [];
    const metrics = {
      answered: () => {},
      render: async () => '',
      contentType: 'text/plain',
      certificateUntil: (time: number) => told.push(time),
    };
    const { files, log, listen } = await createFixture(t, {}, { metrics });
    const port = await listen();
    const first = await fingerprint(files.cert);
    const expiries = [await expiry(files.cert)];
    assert.equal(await servedFingerprint(port), first);
    assert.deepEqual(told, expiries);

    const next = await temporaryKeyPair(t);
    await copyFile(next.cert, files.cert);
    await until(() => log.some(({ msg }) => msg === 'certificate not reloaded'));
    assert.equal(await servedFingerprint(port), first);
    assert.deepEqual(told, expiries, 'the broken one is not served');

    await copyFile(next.key, files.key);
    await until(() => log.some(({ msg }) => msg === 'certificate reloaded'));
    assert.equal(await servedFingerprint(port), await fingerprint(next.cert));
    expiries.push(await expiry(next.cert));
    assert.deepEqual(told, expiries);

    // The key may have been read while it was copied, and refused then, too.
    const refusals = () => log.filter(({ msg }) => msg === 'certificate not reloaded').length;
    const before = refusals();
    await rm(files.key);
    await until(() => refusals() > before);
    assert.equal(await servedFingerprint(port), await fingerprint(next.cert));
    assert.ok(!JSON.stringify(log).includes('PRIVATE KEY'));
  });

  it('are applied once each time, even if they are read while somebody writes them', async (t) => {
    const files = await temporaryKeyPair(t);
    const [inUse, next] = [await readKeyPair(files), await readKeyPair(await temporaryKeyPair(t))];
    const log: Record<string, unknown>[] = [];
    const watch = watchKeyPair(files, inUse, () => {}, createTestLog(log), 1);
    t.after(() => watch.close());
    await writeFile(files.cert, next.cert);
    for (let round = 0; round < 500; round += 1) {
      // As `cp` does it: the file is empty for a moment.
      await writeFile(files.key, '');
      await writeFile(files.key, next.key);
    }
    const reloaded = 'certificate reloaded';
    const told = () => log.map(({ msg }) => msg);
    await until(() => told().at(-1) === reloaded);
    assert.deepEqual(
      told().filter((msg, at, all) => msg === reloaded && all[at - 1] === reloaded),
      [],
    );
  });
});

describe('the TLS port', () => {
  it('refuses plain HTTP', async (t) => {
    const { listen, answered } = await createFixture(t);
    const socket = connectPlain(await listen(), '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.doesNotMatch(await readToEnd(socket), /^HTTP/);
    assert.deepEqual(answered, []);
  });

  for (const [version, accepted] of [
    ['TLSv1.1', false],
    ['TLSv1.2', true],
    ['TLSv1.3', true],
  ] as const) {
    it(`${accepted ? 'speaks' : 'refuses'} ${version}`, async (t) => {
      const { listen } = await createFixture(t);
      const socket = connect({
        port: await listen(),
        host: '127.0.0.1',
        rejectUnauthorized: false,
        minVersion: version,
        maxVersion: version,
        ciphers: 'DEFAULT@SECLEVEL=0',
      });
      t.after(() => socket.destroy());
      const outcome = await new Promise((resolve) => {
        socket.once('secureConnect', () => resolve(socket.getProtocol()));
        socket.once('error', () => resolve('refused'));
      });
      assert.equal(outcome, accepted ? version : 'refused');
    });
  }
});
