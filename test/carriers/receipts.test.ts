/** Receipts of a carrier in the whole service: early, repeated, forged, and the failover that one starts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { type Service, startService } from '../service.ts';
import { openTwilio, PATH, PUBLIC_URL, report } from './twilio-stand-in.ts';

const startWith = (carriers: Record<string, object>) =>
  startService({
    config: {
      // Carriers sign the address that they were given, so a slash at the end must not get into it twice.
      publicUrl: `${PUBLIC_URL}/`,
      carriers,
      routes: [{ channel: 'sms', carriers: Object.keys(carriers) }],
    },
  });

const metric = async (service: Service, name: string) =>
  (await service.client.get('/metrics', { key: null })).text
    .split('\n')
    .filter((line) => line.startsWith(`countersign_verifications_${name}_total{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

const counted = (service: Service, name: string) =>
  eventually(async () => ((await metric(service, name)) === 1 ? true : undefined), 10_000);

suite('receipts in the whole service', () => {
  test('one that comes before the answer to our request is matched too', async () => {
    let early: Promise<number> | undefined;
    await using twilio = await openTwilio(async ({ sid }) => {
      early = report(service, { MessageSid: sid, MessageStatus: 'delivered' });
      await early;
    });
    await using service = await startWith({ twilio: twilio.carrier });
    const { status } = await service.client.verify(freshNumber());
    assert.equal(status, 200);
    assert.ok(await counted(service, 'delivered'));
    assert.equal(await early, 204);
    assert.equal(twilio.sent[0]?.form.get('StatusCallback'), PUBLIC_URL + PATH);
  });

  test('a repetition is accepted and changes nothing; a forgery is refused and changes nothing', async () => {
    await using twilio = await openTwilio();
    await using service = await startWith({ twilio: twilio.carrier });
    await service.client.verify(freshNumber());
    assert.ok(await counted(service, 'submitted'));
    const fields = { MessageSid: twilio.sent[0]?.sid ?? '', MessageStatus: 'delivered' };
    assert.equal(await report(service, fields, 'another token'), 403);
    assert.equal(await metric(service, 'delivered'), 0);
    for (let i = 0; i < 3; i++) assert.equal(await report(service, fields), 204);
    assert.equal(await report(service, { ...fields, MessageStatus: 'undelivered', ErrorCode: '30005' }), 204);
    assert.equal(await metric(service, 'delivered'), 1);
    assert.equal(await metric(service, 'undelivered'), 0);
    // What runs writes its log twice a second, and what stops writes all of it.
    assert.equal(await service.stop(), 0);
    assert.doesNotMatch(service.logs(), /SM0-|auth-token/);
  });

  test('undelivered while the code is valid: the next carrier sends the same code', async () => {
    await using twilio = await openTwilio();
    await using gateway = await openGateway();
    await using service = await startWith({ twilio: twilio.carrier, gateway: gateway.carrier });
    const { json } = await service.client.verify(freshNumber());
    assert.ok(await counted(service, 'submitted'));
    const sid = twilio.sent[0]?.sid ?? '';
    assert.equal(
      await report(service, { MessageSid: sid, MessageStatus: 'undelivered', ErrorCode: '30005' }),
      204,
    );
    const moved = await eventually(async () => gateway.received[0], 10_000);
    assert.ok(twilio.sent[0]?.form.get('Body')?.includes(moved?.code ?? 'none'), 'the same code goes on');
    assert.equal((await service.client.confirm(json.id ?? '', moved?.code ?? '')).status, 200);
  });
});
