import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { suite, test } from 'node:test';
import { connect, createServer, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { makeSelfSigned } from './self-signed.ts';

suite('a self-signed certificate', async () => {
  const validity = { from: new Date('2026-11-20T10:20:30Z'), until: new Date('2056-01-02T03:04:05Z') };
  const pair = await makeSelfSigned(validity);
  const certificate = new X509Certificate(pair.cert);

  test('is self-signed, for servers on this machine only', () => {
    assert.equal(certificate.subject, 'CN=localhost');
    assert.equal(certificate.issuer, 'CN=localhost');
    for (const name of ['localhost', hostname()]) assert.equal(certificate.checkHost(name), name);
    for (const address of ['127.0.0.1', '::1']) assert.ok(certificate.checkIP(address), address);
    assert.equal(certificate.checkHost('example.com'), undefined);
    assert.equal(certificate.ca, false);
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
    assert.ok(certificate.verify(certificate.publicKey));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(pair.key)));
  });

  test('is for the names and addresses that are given, too', async () => {
    const addresses = ['10.0.0.5', '2001:db8::1', '::ffff:192.0.2.7'];
    const names = ['Countersign', 'verify.example.com', 'localhost', ...addresses];
    const named = new X509Certificate((await makeSelfSigned(validity, names)).cert);
    for (const name of ['countersign', 'verify.example.com', 'localhost', hostname()]) {
      assert.equal(named.checkHost(name), name);
    }
    for (const address of [...addresses, '127.0.0.1']) assert.equal(named.checkIP(address), address);
    assert.equal(named.checkHost('example.com'), undefined);
    assert.equal(named.checkIP('10.0.0.6'), undefined);
    assert.equal(named.subjectAltName?.match(/localhost/g)?.length, 1);
  });

  test('says from when until when, in the way of each century', async () => {
    const seconds = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    await fc.assert(
      fc.asyncProperty(seconds, seconds, async (one, other) => {
        const [from, until] = [one, other].map(
          (date) => new Date(Math.floor(date.getTime() / 1_000) * 1_000),
        );
        assert.ok(from && until);
        const { validFromDate, validToDate } = new X509Certificate(
          (await makeSelfSigned({ from, until })).cert,
        );
        assert.deepEqual([validFromDate, validToDate], [from, until]);
      }),
      { numRuns: 50 },
    );
  });

  const now = Date.now();
  const current = { from: new Date(now - 60_000), until: new Date(now + 600_000) };
  const pairs = await Promise.all([makeSelfSigned(current), makeSelfSigned(current)]);

  test('is trusted by clients that have it, alone and beside those of other nodes', async () => {
    const all = pairs.map(({ cert }) => cert);
    for (const own of pairs) {
      const server = createServer(own, (socket) => socket.end()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      for (const ca of [own.cert, all, all.toReversed()]) {
        const socket: TLSSocket = connect({ port: address.port, ca, servername: 'localhost' });
        await once(socket, 'secureConnect');
        assert.ok(socket.authorized);
        socket.destroy();
      }
      server.close();
    }
  });

  test('no two are the same', () => {
    const serials = new Set(pairs.map(({ cert }) => new X509Certificate(cert).serialNumber));
    assert.equal(serials.size, 2);
  });
});
