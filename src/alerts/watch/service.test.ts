import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate } from 'selfsigned';
import { inForce } from '../../core/alerts/rule.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { createCertificateWatch, createQueueWatch } from './service.ts';
import type { AlertSource } from './source.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];
const noRecords = () => Promise.reject(new Error('nothing is read'));

const lookAt = (source: AlertSource, now = NOW, threshold?: number) =>
  source({
    records: { random: SYSTEM_RANDOM, transact: noRecords, keysRevision: noRecords },
    now,
    thresholdOf: (rule) => inForce(rule, threshold).threshold ?? 0,
  });

test('messages are late by the age of the oldest, and nearly late from half of that on', async () => {
  let oldest: number | undefined;
  const watch = createQueueWatch({ oldestWaiting: async () => oldest });
  const levelAt = async (age: number | undefined, threshold?: number) => {
    oldest = age === undefined ? undefined : NOW - age;
    return (await lookAt(watch, NOW, threshold))[0]?.level;
  };
  assert.equal(await levelAt(undefined), undefined);
  assert.equal(await levelAt(30 * SECOND - 1), undefined);
  assert.equal(await levelAt(30 * SECOND), 'near');
  assert.equal(await levelAt(60 * SECOND - 1), 'near');
  assert.equal(await levelAt(60 * SECOND), 'bad');
  assert.equal(await levelAt(60 * SECOND, 200), undefined);
  oldest = NOW - HOUR;
  assert.equal((await lookAt(watch))[0]?.place, 'alerts', 'no other page tells more of it');
});

test('a certificate is told of while fewer days are left than stated, until it is renewed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-certificate-'));
  try {
    const file = join(folder, 'tls.pem');
    const renew = async (until: number) => {
      const made = await generate([{ name: 'commonName', value: 'localhost' }], {
        keyType: 'ec',
        notBeforeDate: new Date(NOW - 90 * DAY),
        notAfterDate: new Date(until),
      });
      await writeFile(file, made.cert);
    };
    const detailAt = async (source: AlertSource, now = NOW) => (await lookAt(source, now))[0]?.detail;
    const watch = createCertificateWatch(file);
    await renew(NOW + 14 * DAY);
    assert.equal(await detailAt(watch), undefined, 'fourteen days are enough');
    assert.match((await detailAt(watch, NOW + SECOND)) ?? '', /expires on 2026-12-04, in 13 days/);
    assert.equal((await lookAt(watch, NOW + SECOND))[0]?.place, 'alerts', 'no other page tells more of it');
    const over = createCertificateWatch(file);
    assert.match((await detailAt(over, NOW + 15 * DAY)) ?? '', /expired on 2026-12-04/);

    await writeFile(file, '-----BEGIN CERTIFICATE-----');
    const late = NOW + HOUR + SECOND;
    assert.notEqual(await detailAt(watch, late), undefined, 'while it is written, the one before is served');
    await renew(NOW + 90 * DAY);
    assert.equal(
      await detailAt(watch, late + SECOND),
      undefined,
      'and it is not an hour until the next look',
    );

    await renew(NOW + 14 * DAY);
    assert.notEqual(await detailAt(watch, late + HOUR + SECOND), undefined);
    await renew(NOW + 90 * DAY);
    assert.notEqual(await detailAt(watch, late + 2 * HOUR), undefined, 'the file is read once an hour');
    assert.equal(await detailAt(watch, late + 2 * HOUR + SECOND), undefined);
    assert.equal(await detailAt(over, NOW + HOUR), undefined, 'after a clock that was ahead, too');

    assert.equal(await detailAt(createCertificateWatch(undefined)), undefined);
    assert.equal(await detailAt(createCertificateWatch(join(folder, 'gone.pem'))), undefined);
  } finally {
    await rm(folder, { recursive: true });
  }
});
