/** GET /portal/api/accounts/:account/audit: what was done in the account. */
import Type, { type Static } from 'typebox';
import { readAuditLog } from '../../accounts/audit.ts';
import { memberOf } from '../access.ts';
import { Id } from '../contract.ts';
import { formatInstant } from '../instant.ts';
import { operation } from '../operation.ts';
import { AuditLog } from './contract.ts';

const Query = Type.Object({ before: Type.Optional(Id) });

export const audit = {
  readAuditLog: operation<{ Querystring: Static<typeof Query> }>({
    summary: 'Read the audit log',
    description: 'Newest first, a hundred at a time.',
    querystring: Query,
    response: { 200: AuditLog },
    handler: async (request, _reply, { records }) => {
      const { entries, next } = await readAuditLog(
        records,
        memberOf(request).accountId,
        request.query.before,
      );
      return { entries: entries.map((entry) => ({ ...entry, at: formatInstant(entry.at) })), next };
    },
  }),
};
