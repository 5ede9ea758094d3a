/** GET /portal/api/accounts/:account/audit, audit.csv and audit.json: what was done in the account. */
import { Readable } from 'node:stream';
import Type from 'typebox';
import { readAuditLog } from '../../accounts/audit.ts';
import { readHead } from '../../accounts/audit-log/chain.ts';
import { type ExportFormat, exportAuditLog } from '../../accounts/audit-log/export.ts';
import type { AuditFilter } from '../../accounts/audit-log/filter.ts';
import type { Member } from '../../accounts/standing.ts';
import { formatLink } from '../../core/accounts/audit-chain.ts';
import type { FieldError } from '../../core/errors/field-error.ts';
import type { Records } from '../../core/sql/records.ts';
import { memberOf } from '../../identity/access.ts';
import { formatInstant, formatOptional, parseSpan } from '../../operations/instant.ts';
import type { Reply } from '../../operations/operation.ts';
import { type Refusal, refuseFields } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import { AuditFilters, AuditLog, AuditQuery } from './contract.ts';

export const audit = {
  readAuditLog: operation({
    summary: 'Read the audit log',
    description:
      'Newest first, fifty at a time. `last` is the number, the hash and the time of the newest entry: who keeps it elsewhere can verify later that nothing up to it was changed.',
    querystring: AuditQuery,
    response: { 200: AuditLog },
    handler: async (request, { records }) => {
      const { before, ...given } = request.query;
      const filter = filterOf(given);
      if (!filter.ok) return refuseFields(filter.errors);
      const { accountId } = memberOf(request);
      const page = await readAuditLog(records, accountId, before, filter.filter);
      const head = await readHead(records, accountId);
      return {
        entries: page.entries.map((entry) => ({ ...entry, at: formatInstant(entry.at) })),
        next: page.next,
        searched_to: formatOptional(page.searchedTo),
        last: head === undefined ? null : formatLink(head),
      };
    },
  }),

  exportAuditLogAsCsv: operation({
    summary: 'Export the audit log as CSV',
    description: 'What matches, oldest first, as a file for spreadsheets.',
    querystring: AuditFilters,
    response: { 200: { content: { 'text/csv': { schema: Type.String() } } } },
    exposeHeadRoute: false,
    handler: (request, { records }, reply) =>
      exportAs('csv', records, memberOf(request), request.query, reply),
  }),

  exportAuditLogAsJson: operation({
    summary: 'Export the audit log as JSON',
    description:
      'What matches, oldest first. Without a filter it has all that is needed to verify the chain of hashes.',
    querystring: AuditFilters,
    response: { 200: { content: { 'application/json': { schema: Type.Unknown() } } } },
    exposeHeadRoute: false,
    handler: (request, { records }, reply) =>
      exportAs('json', records, memberOf(request), request.query, reply),
  }),
};

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
} as const satisfies Record<ExportFormat, string>;

async function exportAs(
  format: ExportFormat,
  records: Records,
  { accountId }: Member,
  filters: AuditFilters,
  reply: Reply,
): Promise<Readable | Refusal> {
  const filter = filterOf(filters);
  if (!filter.ok) return refuseFields(filter.errors);
  const parts = await exportAuditLog(records, accountId, format, filter.filter);
  reply.headers({
    'content-type': TYPES[format],
    'content-disposition': `attachment; filename="audit-log.${format}"`,
  });
  return Readable.from(parts);
}

function filterOf({
  from,
  to,
  ...parts
}: AuditFilters):
  | { readonly ok: true; readonly filter: AuditFilter }
  | { readonly ok: false; readonly errors: readonly FieldError[] } {
  const span = parseSpan({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
  if (!span.ok) return span;
  return {
    ok: true,
    filter: {
      ...parts,
      ...(span.from !== undefined && { from: span.from }),
      ...(span.to !== undefined && { to: span.to }),
    },
  };
}
