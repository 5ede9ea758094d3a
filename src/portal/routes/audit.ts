/** GET /portal/api/accounts/:account/audit: what was done in the account. */
import Type, { type Static } from 'typebox';
import { memberOf } from '../access.ts';
import { readAuditLog } from '../audit.ts';
import { Id } from '../contract/common.ts';
import { AuditLog } from '../contract/people.ts';
import { operation } from '../operation.ts';
import { AccountPath } from './conventions.ts';

const Query = Type.Object({ before: Type.Optional(Id) });

export const audit = {
  readAuditLog: operation<{ Querystring: Static<typeof Query> }>(
    {
      operationId: 'readAuditLog',
      summary: 'Read the audit log',
      description: 'Newest first, a hundred at a time.',
      params: AccountPath,
      querystring: Query,
      response: { 200: AuditLog },
    },
    (request, _reply, { records }) =>
      readAuditLog(records, memberOf(request).accountId, request.query.before),
  ),
};
