/** What is the same for the carriers that hand RCS on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import type { Create } from '../broker-rigs.ts';
import { message as sms } from '../contract.ts';
import { answer, type GatewayRequest, startGateway } from '../gateway.ts';
import { UNHEARD } from '../ports.ts';

export const message: OutgoingMessage = { ...sms, channel: 'rcs' };
export const AGENT = 'brand_xyz123_agent';
/** Who receipts are about, and who answers. */
export const NUMBER = '+4915112345678';

/** What a carrier asks last, to send a message. Whatever it asks is answered with the same. */
export async function sentBy(create: Create, more: object, said: object = {}): Promise<GatewayRequest> {
  const gateway = await startGateway();
  const carrier = create(gateway.url, UNHEARD);
  try {
    gateway.play(answer(200, said));
    await carrier.submit({ ...message, ...more }, { signal: AbortSignal.timeout(20_000) });
    const request = gateway.requests.at(-1);
    assert.ok(request !== undefined);
    return request;
  } finally {
    await carrier.stop();
    await gateway.close();
  }
}

/** @param read the life of a message, with or without its unit, in what is sent */
export function testLife(create: Create, read: (body: string) => unknown, said?: object): void {
  test('what is not delivered when the next channel has its turn ends there', async () => {
    const now = Date.now();
    const { body } = await sentBy(create, { expiresAt: now + 600_000, replacedAt: now + 60_000 }, said);
    const life = Number.parseInt(String(read(body)), 10);
    assert.ok(life > 30 && life <= 60, String(life));
  });
}
