/** Accounts and their API keys, as the store keeps them. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly test: boolean;
  /** What is shown of the key in lists: enough to recognise it, useless to a thief. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export interface NewApiKey {
  readonly id: string;
  readonly name: string;
  readonly test: boolean;
  readonly prefix: string;
  /** SHA-256 of the whole key. A fast hash suffices: the key itself holds over 128 random bits. */
  readonly hash: string;
  readonly createdAt: number;
}

export interface KeyStore {
  /** Adds a key to the account of that name, making the account if it is new. */
  createKey(accountName: string, key: NewApiKey): Promise<ApiKey>;
  /** All keys with the name of their account, oldest first. */
  listKeys(): Promise<(ApiKey & { readonly accountName: string })[]>;
  /** The key of that hash, also when it is revoked. */
  findKey(hash: string): Promise<ApiKey | undefined>;
  /** Revokes by id or by prefix. Answers the key, or undefined when there is none; revoking twice changes nothing. */
  revokeKey(idOrPrefix: string, now: number): Promise<ApiKey | undefined>;
  /** Notes the last use of keys, by id, in Unix ms. */
  touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void>;
  /** Rises whenever a key may have been changed by another process; cheap enough to ask several times a second. */
  keysRevision(): Promise<number>;
}
