/**
 * The audit log of an account is a chain: each entry has a number, and a hash of itself and of the hash before it. Who has
 * one hash can tell whether anything up to its entry was changed since.
 */
import { hash } from 'node:crypto';

export interface Link {
  /** The number of its entry in the account, from 1. */
  readonly seq: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}

/** Before the first entry. */
export const CHAIN_START: Link = { seq: 0, hash: '' };

/** What the hash of an entry covers. */
export interface ChainedFields {
  readonly seq: number;
  readonly accountId: string;
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
  readonly who: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

/**
 * Of a JSON array, which no two entries share, and which others can compute. In PostgreSQL the database computes the same
 * (`audit_hash` in its migration), so neither may ever change.
 */
export function hashEntry(before: string, entry: ChainedFields): string {
  const { seq, accountId, id, at, who, address, action, subject, detail } = entry;
  const text = JSON.stringify([before, seq, accountId, id, at, who, address, action, subject, detail]);
  return hash('sha256', text);
}

/** As people note it, such as `57:9f86d0…`. */
export const formatLink = ({ seq, hash }: Link): string => `${seq}:${hash}`;

/** Undefined if it is not one. */
export function parseLink(text: string): Link | undefined {
  const [, seq, noted] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  return seq === undefined || noted === undefined
    ? undefined
    : { seq: Number(seq), hash: noted.toLowerCase() };
}
