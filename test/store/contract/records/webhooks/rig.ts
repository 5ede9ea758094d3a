/** The accounts of each test, and what its tests ask of their endpoints. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { readAuditLog } from '../../../../../src/accounts/audit.ts';
import { createKeys } from '../../../../../src/accounts/keys.ts';
import {
  addWebhook,
  changeWebhook,
  type WebhookChange,
  type WebhookWish,
} from '../../../../../src/accounts/webhooks/endpoints.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import type { Store } from '../../../../../src/store/port.ts';
import { LAX, type OpenedStore, type OpenStore, unique } from '../../rig.ts';

export const NOW = 1_000_000_000_000;
export const URL = 'https://example.com/hooks?token=precious';
export const ELSEWHERE = 'https://thief.example/';
/** The service's own, that endpoints' secrets are sealed with. */
export const SECRET = 'first secret'.padEnd(32, '.');
const ADA = { name: 'Ada', address: '192.0.2.1' };

export type WebhookRig = ReturnType<typeof createWebhookRig>;

/** For the suite that it is called in. */
export function createWebhookRig(open: OpenStore) {
  let opened: OpenedStore;
  let store: Store;
  let acme: string;
  let other: string;
  const keyring = new Keyring(SECRET);
  beforeEach(async () => {
    opened = await open(LAX);
    store = opened.store;
    acme = await addAccount('Acme');
    other = await addAccount('Other');
  });
  afterEach(() => opened.dispose());

  async function addAccount(name: string): Promise<string> {
    const [id, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
    const key = { id, prefix, hash, name: 'web', test: false, createdAt: 1 };
    return (await createKeys(store).createKey(name, key, ADA)).accountId;
  }

  const depsOf = (records: Store) => ({ records, keyring, privateNetworks: [] });

  const add = (wanted: Partial<WebhookWish> = {}, accountId = acme, records = store) =>
    addWebhook(depsOf(records), {
      ...{ accountId, by: ADA, now: NOW, url: URL, types: [], fullNumbers: false, ...wanted },
    });

  async function added(wanted: Partial<WebhookWish> = {}, accountId = acme) {
    const answer = await add(wanted, accountId);
    assert.ok(answer.kind === 'added', answer.kind);
    return answer;
  }

  const of = (id: string, accountId = acme) => ({ accountId, id, by: ADA, now: NOW });

  const change = (id: string, wanted: Partial<WebhookChange>, records = store) =>
    changeWebhook(depsOf(records), { ...of(id), mayGiveNumbers: false, ...wanted });

  /** What an account's audit log says of endpoints, the oldest first. */
  const audited = async (accountId: string) =>
    (await readAuditLog(store, accountId)).entries
      .filter(({ action }) => action.startsWith('webhook.'))
      .map(({ who, action, subject, detail }) => [who, action, subject, detail])
      .reverse();

  return {
    get store() {
      return store;
    },
    get acme() {
      return acme;
    },
    get other() {
      return other;
    },
    /** Another connection to the same data, if the store allows one. */
    second: async () => (await opened.second?.()) ?? store,
    ...{ keyring, add, added, of, change, audited },
  };
}
