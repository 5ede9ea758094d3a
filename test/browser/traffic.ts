/** Codes that are asked for, of which every third is confirmed. */
import assert from 'node:assert/strict';
import type { Client } from '../acceptance/client.ts';

/** Of three countries by turns; two digits follow. */
const STEMS = ['+4474001234', '+336123456', '+49151230000'] as const;

export async function sendCodes(client: Client, key: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const destination = `${STEMS[n % STEMS.length]}${String(Math.floor(n / STEMS.length)).padStart(2, '0')}`;
    const channel = n % 4 === 1 ? 'voice' : 'sms';
    const asked = await client.verify(destination, channel, { key });
    assert.equal(asked.status, 200, `${destination}: ${asked.text}`);
    const { id = '' } = asked.json;
    if (n % 3 !== 0) continue;
    const { code } = await client.message(destination, id, { key });
    assert.equal((await client.confirm(id, code, { key })).status, 200);
  }
}
