/** Who is told of what happens: webhooks and alerts. */
import assert from 'node:assert/strict';
import { eventually } from '../../acceptance/client.ts';
import { openEndpoint } from '../../events/endpoint.ts';
import { type PortalRig, read, type Visitor } from '../rig.ts';
import { MAIL_PASSWORD, type Walk } from './walk.ts';

export async function walkWebhooks(
  { evidence }: Walk,
  { service }: PortalRig,
  owner: Visitor,
  account: string,
  key: string,
): Promise<void> {
  await using endpoint = await openEndpoint();
  const path = `/portal/api/accounts/${account}/webhooks`;
  const wanted = { url: endpoint.url, types: [], full_numbers: true };
  const { webhook, secret } = read<{ webhook: { id: string }; secret: string }>(
    await owner.post(path, wanted),
  );
  endpoint.secrets = [secret];
  const at = `${path}/${webhook.id}`;
  const sent = await service.client.issue(evidence.number(), 'sms', { key });
  const tested = read<{ message: string }>(await owner.post(`${at}/test`)).message;
  const last = await eventually(async () => {
    const { messages } = read<{ messages: readonly { id: string; state: string }[] }>(
      await owner.get(`${at}/messages`),
    );
    return messages.every(({ state }) => state === 'sent') ? messages.at(-1) : undefined;
  });
  assert.ok(last !== undefined && endpoint.received.some(({ id }) => id === tested));
  const message = `${at}/messages/${last.id}`;
  read(await owner.get(message));
  assert.equal((await owner.post(`${message}/replay`)).status, 204);
  const span = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', also_taken: true };
  read(await owner.post(`${at}/replay`, span));
  const revealed = read<{ secret: string }>(await owner.post(`${at}/reveal`));
  const rotated = read<{ secret: string }>(await owner.post(`${at}/rotate`));
  evidence.add(sent.code, secret, rotated.secret);
  assert.equal(revealed.secret, secret);
  for (const url of [secret, `https://hooks.invalid/#${secret}`]) await owner.post(path, { ...wanted, url });
  read(await owner.get(path));
  read(await owner.get(at));
  read(await owner.send('PATCH', at, { types: ['delivery.failed'] }));
  for (const act of ['disable', 'enable']) assert.equal((await owner.post(`${at}/${act}`)).status, 204);
  assert.equal((await owner.send('DELETE', at)).status, 204);
}

export async function walkAlerts({ evidence }: Walk, owner: Visitor, account: string): Promise<void> {
  await using endpoint = await openEndpoint();
  const path = `/portal/api/accounts/${account}/alerts`;
  const url = `${endpoint.url}services/T00-precious-token`;
  const { secret } = read<{ secret: string }>(await owner.send('PUT', `${path}/webhook`, { url }));
  endpoint.secrets = [secret];
  // Whoever has the address of a chat can write there.
  evidence.add(secret, 'T00-precious-token', MAIL_PASSWORD);
  for (const wrong of [secret, `${url}#fragment`]) await owner.send('PUT', `${path}/webhook`, { url: wrong });
  assert.equal((await owner.send('PUT', `${path}/email`)).status, 204);
  for (const channel of ['email', 'webhook']) read(await owner.post(`${path}/${channel}/test`));
  assert.equal(endpoint.received.length, 1);
  for (const part of ['', '/count', '/history']) read(await owner.get(`${path}${part}`));
  for (const place of ['email', 'webhook']) {
    assert.equal((await owner.send('DELETE', `${path}/${place}`)).status, 204);
  }
}
