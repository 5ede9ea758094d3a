/** Accounts and their API keys, as the store keeps them. Times are Unix ms. */
import type { AccountSettings } from './account-settings.ts';
import type { Channel } from './destination/channel.ts';
import type { Step } from './records.ts';

/** What a key may be used for. An empty list sets no bound. */
export interface Restrictions {
  readonly channels: readonly Channel[];
  /** ISO 3166 alpha-2, or `ZZ` for what has no country. */
  readonly countries: readonly string[];
  /** IP addresses and networks that requests must come from. */
  readonly sources: readonly string[];
}

export const UNRESTRICTED: Restrictions = { channels: [], countries: [], sources: [] };

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly test: boolean;
  /** What is shown of the key in lists: enough to recognise it, useless to a thief. */
  readonly prefix: string;
  readonly createdAt: number;
  /** Name of the member who made it; null on the command line. */
  readonly createdBy: string | null;
  readonly lastUsedAt: number | null;
  /** The address that the last use came from. */
  readonly lastUsedFrom: string | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly restrictions: Restrictions;
  /** Id of the key that took its place; this one is good until `expiresAt`. */
  readonly replacedBy: string | null;
}

/** A key fresh from the mint. */
interface KeyMaterial {
  readonly id: string;
  readonly prefix: string;
  /** SHA-256 of the whole key. A fast hash suffices: the key itself holds over 128 random bits. */
  readonly hash: string;
}

export interface NewApiKey extends KeyMaterial {
  readonly name: string;
  readonly test: boolean;
  readonly createdAt: number;
}

/** With the settings of its account, so that one look tells all that a request needs. */
export interface FoundKey extends ApiKey {
  readonly settings: AccountSettings | null;
}

export interface KeyUse {
  readonly id: string;
  readonly at: number;
  readonly from: string;
}

export interface KeyStore {
  /** Adds a key to the account of that name, making the account if it is new. `record` is written with it. */
  createKey(accountName: string, key: NewApiKey, record?: Step): Promise<ApiKey>;
  /** All keys with the name of their account, oldest first. */
  listKeys(): Promise<(ApiKey & { readonly accountName: string })[]>;
  /** The key of that hash, also when it is revoked or expired. */
  findKey(hash: string): Promise<FoundKey | undefined>;
  /**
   * Revokes by id or by prefix. Answers the key, or undefined when there is none; revoking twice changes nothing.
   * `record` is written with the first.
   */
  revokeKey(idOrPrefix: string, now: number, record?: Step): Promise<ApiKey | undefined>;
  /** Notes the last use of keys. */
  touchKeys(uses: readonly KeyUse[]): Promise<void>;
  /** Rises whenever a key or an account's settings may have changed; cheap enough to ask several times a second. */
  keysRevision(): Promise<number>;
}

/** Absent is left as it is. */
/** Whether there is a key in use that reaches telephones. */
export async function hasLiveKey(keys: Pick<KeyStore, 'listKeys'>, now: number): Promise<boolean> {
  const isInUse = ({ revokedAt, expiresAt }: ApiKey) => revokedAt === null && (expiresAt ?? now + 1) > now;
  return (await keys.listKeys()).some((key) => !key.test && isInUse(key));
}

interface KeyChange {
  readonly name?: string | undefined;
  readonly expiresAt?: number | null | undefined;
  readonly restrictions?: Restrictions | undefined;
}

/** Keys of an account that are neither revoked nor expired: far more than anybody tells apart. */
export const MAX_KEYS_IN_USE = 500;

export type KeyOutcome =
  | { readonly kind: 'done'; readonly key: ApiKey }
  /** The account has no such key. */
  | { readonly kind: 'unknown' }
  /** The key is revoked, expired or, where that matters, already replaced. */
  | { readonly kind: 'over' }
  /** The account has as many keys in use as it may. */
  | { readonly kind: 'too-many' };

/**
 * What the members of an account do with its keys. `record` is written in the same transaction: the change and its
 * record are both done, or neither is.
 */
export interface AccountKeys {
  /** Newest first. */
  list(accountId: string): Promise<ApiKey[]>;
  find(accountId: string, id: string): Promise<ApiKey | undefined>;
  add(
    accountId: string,
    key: NewApiKey & Pick<ApiKey, 'createdBy' | 'expiresAt' | 'restrictions'>,
    record: Step,
  ): Promise<Extract<KeyOutcome, { readonly kind: 'done' | 'too-many' }>>;
  /** Of a key that is good, also of one that was replaced; that one keeps an end. */
  change(accountId: string, id: string, change: KeyChange, now: number, record: Step): Promise<KeyOutcome>;
  /**
   * Makes a key with the same name, kind and restrictions, for as long as the old one was made for; answers the new one.
   * The old one is good for `overlapMs` more, and not beyond its own end. Of simultaneous rotations one is done.
   */
  rotate(
    accountId: string,
    id: string,
    successor: KeyMaterial & Pick<ApiKey, 'createdBy'>,
    overlapMs: number,
    now: number,
    record: Step,
  ): Promise<KeyOutcome>;
  /** Also one that is expired or in its overlap; a second time changes nothing and is recorded once. */
  revoke(accountId: string, id: string, now: number, record: Step): Promise<KeyOutcome>;
}
