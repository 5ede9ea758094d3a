/** The service's own portal: what its pages read comes compressed, the public API does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstAccount, read, sharePortal } from './rig.ts';

const openPlace = sharePortal();
const HEADERS = { 'accept-encoding': 'gzip, br', 'sec-fetch-site': 'same-origin' };

test('long answers of the portal come compressed, with all headers that the others have', async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const { id } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}/alerts`;
  const [plain, packed] = [
    await owner.get(path),
    await owner.send('GET', path, undefined, { headers: HEADERS }),
  ];
  read(plain);
  assert.deepEqual(
    [plain.headers['content-encoding'], packed.headers['content-encoding']],
    [undefined, 'br'],
  );
  assert.ok(Number(packed.headers['content-length']) < Number(plain.headers['content-length']) / 2);
  for (const name of ['cache-control', 'content-security-policy', 'content-type', 'vary']) {
    assert.equal(packed.headers[name], plain.headers[name], name);
    assert.ok(plain.headers[name] !== undefined, name);
  }
});

test('the public API answers as before', async (t) => {
  const portal = await openPlace(t);
  const { headers } = await portal.service.client.get('/openapi.json', { headers: HEADERS });
  assert.equal(headers['content-encoding'], undefined);
});
