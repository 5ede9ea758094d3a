/** Tells whether audit logs are as they were written. Works while the service runs. */
import { readFileSync } from 'node:fs';
import { findAccountId, listAccounts } from '../../accounts/accounts.ts';
import { verifyExport } from '../../accounts/audit-log/exported.ts';
import { type ChainVerdict, verifyAuditLog } from '../../accounts/audit-log/verify.ts';
import { formatLink, type NotedLink, parseLink } from '../../core/accounts/audit-chain.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import type { Records } from '../../core/sql/records.ts';
import type { Store } from '../../store/port.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { withStore } from '../store/command-store.ts';

export interface VerifyOptions {
  /** The name of one account; without it, all accounts. */
  readonly account?: string;
  /** The number, hash and time of an entry that was noted elsewhere, such as `57:9f86…@2026-11-20T16:03:10.004Z`. */
  readonly expect?: string;
  /** An exported log to verify instead of the store. */
  readonly file?: string;
  readonly json?: boolean;
}

interface Verified {
  readonly account: string;
  readonly verdict: ChainVerdict;
}

/** Fails if anything was tampered with, and names the first entry at which that shows. */
export async function verifyAudit({ account, expect, file, json = false }: VerifyOptions): Promise<void> {
  const noted = expect === undefined ? undefined : linkOf(expect);
  if (file !== undefined && account !== undefined) {
    throw new CommandFailure('expected --account or --file, not both');
  }
  if (noted !== undefined && account === undefined && file === undefined) {
    throw new CommandFailure('--expect needs --account: a noted entry is of one account');
  }
  const verified =
    file === undefined
      ? await withStore(await readConfiguration(), (store) => verifyStore(store, account, noted))
      : [verifyFile(file, noted)];
  if (json) console.log(JSON.stringify(verified.map(shown), null, 2));
  else for (const each of verified) console.log(describe(each, noted));
  const broken = verified.filter(({ verdict }) => !verdict.ok).map((each) => each.account);
  if (broken.length > 0) {
    throw new CommandFailure(`not as it was written: the audit log of ${broken.join(', ')}`);
  }
  // A time that was noted shows that the entry was old enough.
  if (noted?.at === undefined && verified.some(({ verdict }) => verdict.ok && verdict.isOlder)) {
    throw new CommandFailure(
      `entry ${noted?.seq} is gone, and was noted without its time, so nothing shows that age took it; note a newer one`,
    );
  }
}

async function verifyStore(store: Store, name: string | undefined, noted?: NotedLink): Promise<Verified[]> {
  const accounts = name === undefined ? await listAccounts(store) : [await accountOf(store, name)];
  const verified: Verified[] = [];
  for (const account of accounts) {
    verified.push({
      account: account.name,
      verdict: await verifyAuditLog(store, account.id, store.clock.now(), noted),
    });
  }
  return verified;
}

export async function accountOf(records: Records, name: string) {
  const id = await findAccountId(records, name);
  if (id !== undefined) return { id, name };
  throw new CommandFailure('--account must be the name of an account; `keys list` shows them');
}

function verifyFile(file: string, noted?: NotedLink): Verified {
  const outcome = verifyExport(readFileSync(file, 'utf8'), SYSTEM_CLOCK.wall(), noted);
  if (outcome.kind === 'read') return outcome;
  throw new CommandFailure(`${file} cannot be verified: ${outcome.detail}`);
}

function linkOf(expect: string): NotedLink {
  const link = parseLink(expect);
  if (link !== undefined) return link;
  throw new CommandFailure(
    '--expect must be the number, the hash and the time of an entry, such as 57:9f86d081...@2026-11-20T16:03:10.004Z, as the portal and `audit verify` show them',
  );
}

function describe({ account, verdict }: Verified, noted: NotedLink | undefined): string {
  if (!verdict.ok) {
    const { entry, detail } = verdict.fault;
    return `${account}: BROKEN${entry === null ? '' : ` at ${nameOf(entry)}`}: ${detail}`;
  }
  const { entries, from, to, last, removed } = verdict.facts;
  const older = removed.seq > 0 ? `; entries up to ${removed.seq} were deleted with age` : '';
  if (from === null || to === null) return `${account}: no entries${older}`;
  const found =
    noted === undefined ? '' : `; entry ${noted.seq} ${verdict.isOlder ? 'is gone' : 'is as noted'}`;
  const counted = entries === 1 ? '1 entry' : `${entries} entries`;
  return `${account}: ${counted}, ${instant(from)} to ${instant(to)}${older}${found}; last ${formatLink({ ...last, at: to })}`;
}

const nameOf = ({ seq, id, at }: { readonly seq: number | null; readonly id: string; readonly at: number }) =>
  `${seq === null ? 'an entry without a number' : `entry ${seq}`} (${id}, ${instant(at)})`;

function shown({ account, verdict }: Verified) {
  if (!verdict.ok) {
    const { entry, detail } = verdict.fault;
    const at = entry === null ? null : instant(entry.at);
    return { account, ok: false, entry: entry && { seq: entry.seq, id: entry.id, at }, detail };
  }
  const { entries, from, to, last, removed } = verdict.facts;
  return {
    ...{ account, ok: true, entries },
    from: from === null ? null : instant(from),
    to: to === null ? null : instant(to),
    last: formatLink({ ...last, at: to ?? undefined }),
    removed_up_to: removed.seq,
  };
}

const instant = (at: number): string => new Date(at).toISOString();
