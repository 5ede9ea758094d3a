import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { INFOBIP_KEY, INFOBIP_SAYS, infobipWith } from '../broker-rigs.ts';
import { CALLBACK_URL, carrierContract } from '../contract.ts';
import { receiptContract } from '../receipt-contract.ts';
import { message, NUMBER, testLife } from './brokers.ts';

const PASSWORD = 'a-password-of-the-subscription';
const create = infobipWith({ webhookPassword: PASSWORD, rcs: { from: 'Acme RCS' } });

carrierContract({
  name: 'infobip, RCS',
  create,
  message,
  asksForReceipts: true,
  secrets: [INFOBIP_KEY, PASSWORD],
  says: INFOBIP_SAYS,
  unreadable: 'temporary',
  verify(request, { destination, text }) {
    assert.equal(request.url, '/rcs/2/messages');
    assert.equal(request.headers.authorization, `App ${INFOBIP_KEY}`);
    const [{ destinations, webhooks, ...sent }] = JSON.parse(request.body).messages;
    const [{ to, messageId }] = destinations;
    assert.equal(to, destination.address.slice(1));
    assert.deepEqual(sent, {
      sender: 'Acme RCS',
      content: { type: 'TEXT', text },
      options: { validityPeriod: { amount: 172_800, timeUnit: 'SECONDS' } },
    });
    assert.ok(webhooks.delivery.url.startsWith(`${CALLBACK_URL}?id=${messageId}&token=`));
  },
});

testLife(create, (body) => JSON.parse(body).messages[0].options.validityPeriod.amount);

const keyOf = (id: string, url: string) =>
  createHmac('sha256', INFOBIP_KEY).update(`receipt of ${id} at ${url}`).digest('base64url');

receiptContract({
  name: 'infobip, RCS',
  create: (ports) => create('https://xxxxx.api.infobip.com', ports),
  undeliveredReason: 'EXPIRED_EXPIRED',
  stated: { price: { amount: 19_000, currency: 'EUR' } },
  coversUrl: true,
  covers: 'message',
  report(event, url) {
    const groups = {
      delivered: 'DELIVERED',
      undelivered: 'EXPIRED',
      pending: 'PENDING',
      nonsense: undefined,
    };
    const group = groups[event];
    const status = group && { groupName: group, name: `${group}_${group}` };
    const price = event === 'delivered' && { price: { pricePerMessage: 0.019, currency: 'EUR' } };
    return {
      ...{ method: 'POST', url: `${url}?id=r-1&token=${keyOf('r-1', url)}`, headers: {} },
      body: Buffer.from(
        JSON.stringify({ results: [{ messageId: 'r-1', messageCount: 1, status, ...price }] }),
      ),
    };
  },
  inbound: (text, url) => ({
    ...{ method: 'POST', url },
    headers: { authorization: `Basic ${Buffer.from(`infobip:${PASSWORD}`).toString('base64')}` },
    body: Buffer.from(
      JSON.stringify({
        results: [
          {
            ...{ sender: NUMBER.slice(1), to: 'Acme RCS', integrationType: 'RCS', messageId: 'm-1' },
            message: { type: 'TEXT', text },
          },
        ],
      }),
    ),
  }),
  unsign: ({ headers: { authorization: _, ...headers }, ...callback }) => ({
    ...callback,
    headers,
    url: callback.url.replace(/&token=.*/, ''),
  }),
});
