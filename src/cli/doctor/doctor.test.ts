import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { generate } from 'selfsigned';
import { freePort } from '../../../test/free-port.ts';
import { mintKey } from '../../core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { createWorkplace } from '../fixture.ts';
import { checkClock, judgeCertificate, judgeDurability } from './doctor.ts';

const DAY_MS = 86_400_000;

test('doctor: a healthy installation is all ok', async () => {
  using place = createWorkplace();
  await place.makeStore({ test: true });
  const { status, stdout, stderr } = await place.run(['doctor']);
  assert.equal(status, 0);
  assert.match(stderr, /^store: .*countersign\.db\n$/);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.replace(/:.*/, '')),
    [
      'ok    store',
      'ok    store file',
      'ok    disk',
      'ok    clock',
      'ok    certificate',
      'ok    numbers',
      'ok    carrier simulator',
    ],
  );
});

test('doctor: failures are named with a fix, exit code 1', async () => {
  using place = createWorkplace();
  await place.makeStore();
  // Nothing listens there.
  const port = await freePort();
  const gateway = `{ type: http, url: "http://127.0.0.1:${port}/", json: { to: "{{to}}", code: "{{code}}" } }`;
  place.write(
    'countersign.yaml',
    `tls: { cert: no.pem, key: no.pem }\ncarriers: { gateway: ${gateway} }\nroutes: [{ channel: sms, carriers: [gateway] }]\nportal: { oidc: { sso: { issuer: "http://127.0.0.1:${port}", clientId: a } } }\n`,
  );
  const { status, stdout } = await place.run(['doctor', '--json']);
  assert.equal(status, 1);
  const findings: { name: string; ok: boolean; warning?: boolean }[] = JSON.parse(stdout);
  assert.deepEqual(
    findings.filter(({ warning }) => warning === true).map(({ name }) => name),
    ['guard.countries'],
    'its live key can send everywhere',
  );
  const failed = JSON.parse(stdout).filter(({ ok }: { ok: boolean }) => !ok);
  assert.deepEqual(
    failed.map(({ name }: { name: string }) => name),
    ['certificate', 'carrier gateway', 'single sign-on sso'],
  );
  assert.match(failed[0].detail, /no\.pem/);
  assert.match(failed[1].detail, /ECONNREFUSED.*carriers\.gateway/);
  assert.match(failed[2].detail, /ECONNREFUSED.*portal\.oidc\.sso\.issuer/);
});

test('doctor: senders and texts that a country blocks are warned of', async () => {
  using place = createWorkplace();
  await place.makeStore({ test: true });
  const port = await freePort();
  const gateway = `{ type: http, sender: Acme, url: "http://127.0.0.1:${port}/", json: { to: "{{to}}", code: "{{code}}", from: "{{sender}}" } }`;
  place.write(
    'countersign.yaml',
    `carriers: { gateway: ${gateway} }\nroutes: [{ channel: sms, countries: [AU, MY], carriers: [gateway] }]\nmessages: { webOtpDomain: acme.example }\n`,
  );
  const { stdout } = await place.run(['doctor']);
  assert.match(
    stdout,
    /\nwarn {2}carriers\.gateway\.sender: Acme is a name, and a name is not delivered as a sender in MY; /,
  );
  assert.match(
    stdout,
    /\nwarn {2}carriers\.gateway\.sender: .* arrives as Unverified in AU \(since 1 July 2026\); /,
  );
  assert.match(
    stdout,
    /\nwarn {2}messages\.webOtpDomain: .* links are blocked in MY \(since 1 September 2024\); /,
  );
});

test('doctor: a hook whose key would be refused is named', async () => {
  using place = createWorkplace();
  const live = await place.makeStore();
  const forTests = await place.makeStore({ test: true });
  const keys = { good: forTests, bad: live, gone: mintKey(SYSTEM_RANDOM, false).key };
  const hooks = Object.entries(keys).map(([name, key]) => [name, { system: 'kratos', key }]);
  place.write('countersign.yaml', JSON.stringify({ hooks: Object.fromEntries(hooks) }));
  const { status, stdout } = await place.run(['doctor']);
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^ok {4}hook good: kratos may send codes; nobody confirms them here, so the guard stops floods .*: set a budget$/m,
  );
  assert.match(stdout, /^fail {2}hook bad: hooks\.bad\.key may not bring codes of its own/m);
  assert.match(stdout, /^fail {2}hook gone: hooks\.gone\.key is no API key of this installation/m);
});

test('a database that does not write committed data to disk is reported', () => {
  const alone = { fsync: true, fullPageWrites: true, synchronous: 0, hasOthers: false };
  assert.deepEqual(judgeDurability(alone), { ok: true, detail: 'commits reach the disk of the one server' });
  const unsafe = judgeDurability({ ...alone, fsync: false });
  assert.equal(unsafe.ok, false);
  assert.match(unsafe.detail, /set fsync = on/);
  const doubtful = judgeDurability({ ...alone, fullPageWrites: false });
  assert.equal(doubtful.ok, true);
  assert.match(doubtful.detail, /warning: full_page_writes is off/);
});

test('commits that are on one disk are warned of where another server may take over', () => {
  const judge = (synchronous: number | undefined) =>
    judgeDurability({ fsync: true, fullPageWrites: true, hasOthers: true, synchronous });
  assert.equal(judge(0).warning, true);
  assert.match(judge(0).detail, /one server only/);
  assert.deepEqual([judge(1).warning, judge(undefined).warning], [undefined, undefined]);
  assert.match(judge(undefined).detail, /GRANT pg_read_all_stats/);
});

test('a clock before the release of this version is wrong', () => {
  assert.equal(checkClock(Date.now(), 0).ok, true);
  assert.equal(checkClock(0, 0).ok, false);
  const now = Date.parse('2026-11-22T12:00:00Z');
  assert.deepEqual(checkClock(now, 12), {
    ok: true,
    detail: "2026-11-22T12:00:00.000Z, 12 ms ahead of the database's clock",
  });
  const off = checkClock(now, -2_001);
  assert.equal(off.ok, false);
  assert.match(off.detail, /2001 ms behind the database's clock; keep both synchronised with NTP/);
});

test('a certificate is judged by its dates', async () => {
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
