/** The accounts of each test, and what its tests ask of their endpoints. */
import assert from 'node:assert/strict';
import { readAuditLog } from '../../../../../src/accounts/audit.ts';
import {
  addWebhook,
  changeWebhook,
  type WebhookChange,
  type WebhookInput,
} from '../../../../../src/accounts/webhooks/endpoints.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import type { Store } from '../../../../../src/store/port.ts';
import type { OpenStore } from '../../rig.ts';
import { ADA, openTwoAccounts } from '../two-accounts.ts';

export const NOW = 1_000_000_000_000;
export const URL = 'https://example.com/hooks?token=precious';
export const ELSEWHERE = 'https://thief.example/';
/** The service's own, that endpoints' secrets are sealed with. */
export const SECRET = 'first secret'.padEnd(32, '.');

export type WebhookRig = ReturnType<typeof createWebhookRig>;

/** For the suite that it is called in. */
export function createWebhookRig(open: OpenStore) {
  const two = openTwoAccounts(open);
  const keyring = new Keyring(SECRET);

  const depsOf = (records: Store) => ({ records, keyring, privateNetworks: [] });

  const add = (wanted: Partial<WebhookInput> = {}, accountId = two.acme, records = two.store) =>
    addWebhook(depsOf(records), {
      ...{ accountId, by: ADA, now: NOW, url: URL, types: [], fullNumbers: false, ...wanted },
    });

  async function added(wanted: Partial<WebhookInput> = {}, accountId = two.acme) {
    const answer = await add(wanted, accountId);
    assert.ok(answer.kind === 'added', answer.kind);
    return answer;
  }

  const of = (id: string, accountId = two.acme) => ({
    ...{ accountId, id, by: ADA, now: NOW },
    mayGiveNumbers: false,
  });

  const change = (id: string, wanted: Partial<WebhookChange>, records = two.store) =>
    changeWebhook(depsOf(records), { ...of(id), ...wanted });

  /** What an account's audit log says of endpoints, the oldest first. */
  const audited = async (accountId: string) =>
    (await readAuditLog(two.store, accountId)).entries
      .filter(({ action }) => action.startsWith('webhook.'))
      .map(({ who, action, subject, detail }) => [who, action, subject, detail])
      .reverse();

  return {
    get store() {
      return two.store;
    },
    get acme() {
      return two.acme;
    },
    get other() {
      return two.other;
    },
    second: two.second,
    ...{ keyring, add, added, of, change, audited },
  };
}
