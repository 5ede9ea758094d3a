/** Verifies an exported audit log, with no need of its store. */
import type { Link, NotedLink } from '../../core/accounts/audit-chain.ts';
import type { ChainedEntry } from './chain.ts';
import { ChainCheck, type ChainVerdict } from './verify.ts';

export type ExportVerdict =
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'read'; readonly account: string; readonly verdict: ChainVerdict };

type Members = Readonly<Record<string, unknown>>;

/** `text` is what `exportAuditLog` made as JSON, without a filter. */
export function verifyExport(text: string, now: number, noted?: NotedLink): ExportVerdict {
  const unreadable = (detail: string): ExportVerdict => ({ kind: 'unreadable', detail });
  const file = membersOf(parse(text));
  const account = membersOf(file?.account);
  const [removed, head] = [linkIn(file?.removed), linkIn(file?.last)];
  const filter = membersOf(file?.filter);
  if (!account || !removed || !head || !filter || !Array.isArray(file?.entries)) {
    return unreadable('it is not an audit log that was exported as JSON, or it was cut off');
  }
  if (Object.keys(filter).length > 0) {
    return unreadable('it has only a part of the audit log; export all of it');
  }
  const entries: ChainedEntry[] = [];
  for (const [index, each] of file.entries.entries()) {
    const entry = entryIn(String(account.id), membersOf(each));
    if (entry === undefined) return unreadable(`line ${index + 1} of its entries is not an entry`);
    entries.push(entry);
  }
  const check = new ChainCheck(now, noted);
  const kept = membersOf(file?.removed)?.entry;
  const removedEntry = typeof kept === 'string' ? kept : null;
  const page = { removed, removedEntry, head: head.seq === 0 ? undefined : head, entries };
  const fault = check.read(page) ?? check.end();
  const verdict: ChainVerdict =
    fault === undefined ? { ok: true, facts: check.facts, isOlder: check.isOlder } : { ok: false, fault };
  return { kind: 'read', account: String(account.name), verdict };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

function linkIn(value: unknown): Link | undefined {
  const { seq, hash } = membersOf(value) ?? {};
  return typeof seq === 'number' && typeof hash === 'string' ? { seq, hash } : undefined;
}

function entryIn(accountId: string, members: Members = {}): ChainedEntry | undefined {
  const { seq, hash, id, at, who, address, action, subject, detail, times } = members;
  const instant = Date.parse(String(at));
  if (typeof seq !== 'number' || Number.isNaN(instant)) return undefined;
  if (typeof address !== 'string' && address !== null) return undefined;
  const texts = [hash, id, who, action, subject, detail];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  const [ownHash = '', ownId = '', ...named] = texts;
  const [name = '', what = '', whom = '', more = ''] = named;
  return {
    ...{ seq, hash: ownHash, accountId, id: ownId, at: instant, who: name, address },
    ...{ action: what, subject: whom, detail: more, times: Number(times) },
  };
}
