import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { generate } from 'selfsigned';
import { checkClock, judgeCertificate } from './doctor.ts';
import { createWorkplace } from './fixture.ts';

const DAY_MS = 86_400_000;

test('doctor: a healthy place is all ok', () => {
  using place = createWorkplace();
  const { status, stdout, stderr } = place.run(['doctor']);
  assert.deepEqual([status, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.replace(/:.*/, '')),
    ['ok    store', 'ok    disk', 'ok    clock', 'ok    certificate', 'ok    carrier simulator'],
  );
});

test('doctor: what fails is named with the way out, exit code 1', async () => {
  using place = createWorkplace();
  const port = await findDeadPort();
  const gateway = `{ type: http, url: "http://127.0.0.1:${port}/", json: { to: "{{to}}", code: "{{code}}" } }`;
  place.write(
    'countersign.yaml',
    `tls: { cert: no.pem, key: no.pem }\ncarriers: { gateway: ${gateway} }\nroutes: [{ channel: sms, carriers: [gateway] }]\nportal: { oidc: { sso: { issuer: "http://127.0.0.1:${port}", clientId: a } } }\n`,
  );
  const { status, stdout } = place.run(['doctor', '--json']);
  assert.equal(status, 1);
  const failed = JSON.parse(stdout).filter(({ ok }: { ok: boolean }) => !ok);
  assert.deepEqual(
    failed.map(({ name }: { name: string }) => name),
    ['certificate', 'carrier gateway', 'single sign-on sso'],
  );
  assert.match(failed[0].detail, /no\.pem/);
  assert.match(failed[1].detail, /ECONNREFUSED.*carriers\.gateway/);
  assert.match(failed[2].detail, /ECONNREFUSED.*portal\.oidc\.sso\.issuer/);
});

/** A port of this machine that nobody listens on. */
async function findDeadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 1;
}

test('a clock before this version was made is wrong', () => {
  assert.equal(checkClock(Date.now()).ok, true);
  assert.equal(checkClock(0).ok, false);
});

test('a certificate is judged by its time', async () => {
  const now = Date.now();
  const { cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + 30 * DAY_MS),
  });
  const certificate = new X509Certificate(cert);
  const judge = (at: number, selfSigned = false) => judgeCertificate(certificate, selfSigned, at).ok;
  assert.equal(judge(now), true);
  assert.equal(judge(now + 20 * DAY_MS), false, 'it expires soon');
  assert.equal(judge(now + 20 * DAY_MS, true), true, 'the service renews its own');
  assert.equal(judge(now + 31 * DAY_MS), false, 'it has expired');
  assert.equal(judge(now - 2 * DAY_MS), false, 'it is not valid yet');
});
