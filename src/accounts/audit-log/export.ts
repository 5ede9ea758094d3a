/** The audit log of an account as a file, oldest entry first, in parts as they are read. */
import { CHAIN_START } from '../../core/accounts/audit-chain.ts';
import { query, type Records } from '../../core/sql/records.ts';
import { formatRow } from '../../core/text/csv.ts';
import { type ChainedEntry, type ChainPage, walkChain } from './chain.ts';
import { type AuditFilter, matches } from './filter.ts';

export type ExportFormat = 'csv' | 'json';

const HEADER = ['seq', 'at', 'who', 'address', 'action', 'subject', 'detail', 'times', 'id', 'hash'];

/** Reads the first part, so that a store that does not answer fails before anything is sent. */
export async function exportAuditLog(
  records: Records,
  accountId: string,
  format: ExportFormat,
  filter: AuditFilter,
): Promise<AsyncIterable<string>> {
  const pages = walkChain(records, accountId);
  const parts =
    format === 'csv'
      ? formatCsv(pages, filter)
      : formatJson(pages, filter, { id: accountId, name: await nameOf(records, accountId) });
  const first = await parts.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* parts;
  })();
}

async function* formatCsv(pages: AsyncIterable<ChainPage>, filter: AuditFilter): AsyncGenerator<string> {
  let head = formatRow(HEADER);
  for await (const { entries } of pages) {
    const rows = entries.filter(isIn(filter)).map((entry) => {
      const { seq, at, who, address, action, subject, detail, times, id, hash } = shown(entry);
      return formatRow([seq, at, who, address, action, subject, detail, times, id, hash]);
    });
    yield head + rows.join('');
    head = '';
  }
}

/** One entry on each line. Without a filter it has all that is needed to verify the chain. */
async function* formatJson(
  pages: AsyncIterable<ChainPage>,
  filter: AuditFilter,
  account: { readonly id: string; readonly name: string },
): AsyncGenerator<string> {
  let [isFirst, separator, last] = [true, '\n', CHAIN_START];
  for await (const { removed, removedEntry, head, entries } of pages) {
    const rows = entries.filter(isIn(filter)).map((entry) => JSON.stringify(shown(entry)));
    let text = isFirst
      ? `{"account":${JSON.stringify(account)},"filter":${JSON.stringify(filterShown(filter))},"removed":${JSON.stringify({ ...removed, entry: removedEntry })},"entries":[`
      : '';
    isFirst = false;
    for (const row of rows) {
      text += `${separator}${row}`;
      separator = ',\n';
    }
    last = head ?? last;
    yield text;
  }
  yield `\n],"last":${JSON.stringify(last)}}\n`;
}

async function nameOf(records: Records, accountId: string): Promise<string> {
  const [row] = await query(records, 'SELECT name FROM account WHERE id = $1', accountId);
  return String(row?.name);
}

const isIn =
  ({ from, to, ...filter }: AuditFilter) =>
  (entry: ChainedEntry): boolean =>
    (from === undefined || entry.at >= from) && (to === undefined || entry.at < to) && matches(entry, filter);

const shown = ({ accountId: _, at, ...entry }: ChainedEntry) => ({ ...entry, at: instant(at) });

const filterShown = ({ from, to, ...filter }: AuditFilter) => ({
  ...filter,
  ...(from !== undefined && { from: instant(from) }),
  ...(to !== undefined && { to: instant(to) }),
});

const instant = (at: number): string => new Date(at).toISOString();
