/** Whether an SMS ends with the line of WebOTP goes by its country, for live and test keys, from the next message after a reload. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReloadable } from './rig.ts';

const DOMAIN = 'app.example';
const GERMANY = '+4915112345678';
const TURKEY = '+905321234567';

test('countries without the line of WebOTP hold for every key, and change with a reload', async () => {
  await using reloadable = await startReloadable({ messages: { webOtpDomain: DOMAIN } });
  const { service, reload } = reloadable;
  const { client } = service;
  const keys = { live: service.key, test: await service.createKey('test', { test: true }) };
  const withLine = async (destination: string, key: string) => {
    const { id } = await client.issue(destination, 'sms', { key });
    const { text } = await client.message(destination, id, { key });
    return text.includes(`@${DOMAIN} #`);
  };

  for (const [name, key] of Object.entries(keys)) {
    assert.equal(await withLine(GERMANY, key), true, name);
    assert.equal(await withLine(TURKEY, key), false, name);
  }
  const { changed } = await reload({ messages: { webOtpDomain: DOMAIN, webOtpExcept: ['DE'] } });
  assert.deepEqual(changed, ['messages.webOtpExcept']);
  for (const [name, key] of Object.entries(keys)) {
    assert.equal(await withLine(GERMANY, key), false, name);
    assert.equal(await withLine(TURKEY, key), true, name);
  }
});
