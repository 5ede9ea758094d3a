/** Accounts and their API keys, as the store keeps them. Times are Unix ms. */
import type { Channel } from '../destination/channel.ts';
import type { AccountSettings } from './account-settings.ts';
import type { Actor } from './actor.ts';

/** What a key may be used for. An empty list sets no limit. */
export interface KeyRestrictions {
  readonly channels: readonly Channel[];
  /** ISO 3166 alpha-2, or `ZZ` for destinations without a country. */
  readonly countries: readonly string[];
  /** IP addresses and networks that requests must come from. */
  readonly sources: readonly string[];
}

export const UNRESTRICTED: KeyRestrictions = { channels: [], countries: [], sources: [] };

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly test: boolean;
  /** The part that lists show: enough to recognise it, useless to a thief. */
  readonly prefix: string;
  readonly createdAt: number;
  /** Name of the member who created it; null for the command line. */
  readonly createdBy: string | null;
  readonly lastUsedAt: number | null;
  /** The address that the last use came from. */
  readonly lastUsedFrom: string | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly restrictions: KeyRestrictions;
  /** Whether requests may bring codes of their own. Test keys always may. */
  readonly customCodes: boolean;
  /** Id of the key that replaced it; this one works until `expiresAt`. */
  readonly replacedBy: string | null;
  /** Ids of the keys that it came from by rotation, the first one first; undefined if there are none. */
  readonly predecessors: readonly string[] | undefined;
}

export interface KeyMaterial {
  readonly id: string;
  readonly prefix: string;
  /** SHA-256 of the whole key. A fast hash is enough, because the key has over 128 random bits. */
  readonly hash: string;
}

export interface NewApiKey extends KeyMaterial {
  readonly name: string;
  readonly test: boolean;
  readonly customCodes?: boolean | undefined;
  readonly createdAt: number;
}

/** With what its account has set, so that a request needs only one look into the store. */
export interface FoundKey extends ApiKey {
  readonly settings: AccountSettings | null;
  /** The beginnings of numbers that the account sends nothing to. */
  readonly blockedRanges: readonly string[];
}

export interface KeyUse {
  readonly id: string;
  readonly at: number;
  readonly from: string;
}

/** A change and its audit entry are written together or not at all. */
export interface KeyStore {
  /** Adds a key to the account of that name, and creates the account if it is new. */
  createKey(accountName: string, key: NewApiKey, by: Actor): Promise<ApiKey>;
  /**
   * Adds the first key, to a new account of that name. Undefined, and nothing done, if there ever was a key: accounts are
   * never deleted, so a key that was revoked does not come back. Of simultaneous calls only one is done.
   */
  createFirstKey(accountName: string, key: NewApiKey, by: Actor, why?: string): Promise<ApiKey | undefined>;
  /** All keys with the name of their account, oldest first. */
  listKeys(): Promise<(ApiKey & { readonly accountName: string })[]>;
  /** The key with that hash, even if it is revoked or expired. */
  findKey(hash: string): Promise<FoundKey | undefined>;
  /**
   * Revokes by id or prefix. Returns the key, or undefined if there is none; revoking twice changes nothing.
   */
  revokeKey(idOrPrefix: string, now: number, by: Actor, why?: string): Promise<ApiKey | undefined>;
  touchKeys(uses: readonly KeyUse[]): Promise<void>;
  /** Rises whenever a key or an account's settings may have changed; cheap enough to read several times a second. */
  keysRevision(): Promise<number>;
}

/** Whether a live key is in use. */
export async function hasLiveKey(keys: Pick<KeyStore, 'listKeys'>, now: number): Promise<boolean> {
  const isInUse = ({ revokedAt, expiresAt }: ApiKey) => revokedAt === null && (expiresAt ?? now + 1) > now;
  return (await keys.listKeys()).some((key) => !key.test && isInUse(key));
}
