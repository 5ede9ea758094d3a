/** GET /portal/api/accounts/:account/audit: what was done in the account. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { type Access, memberOf } from '../access.ts';
import { readAuditLog } from '../audit.ts';
import { Id } from '../contract/common.ts';
import { AuditLog } from '../contract/people.ts';
import type { PortalDeps } from '../deps.ts';
import { AccountPath, MEMBER_PROBLEMS, SESSION } from './conventions.ts';

const Query = Type.Object({ before: Type.Optional(Id) });

export function registerAudit(app: FastifyInstance, { records }: PortalDeps, access: Access): void {
  app.get<{ Querystring: Static<typeof Query> }>(
    '/portal/api/accounts/:account/audit',
    {
      onRequest: access.developer,
      schema: {
        operationId: 'readAuditLog',
        summary: 'Read the audit log',
        description: 'Newest first, a hundred at a time.',
        tags: ['portal'],
        security: SESSION,
        params: AccountPath,
        querystring: Query,
        response: { 200: AuditLog },
      },
      config: { problems: [...MEMBER_PROBLEMS, 'invalid-request'] },
    },
    (request) => readAuditLog(records, memberOf(request).accountId, request.query.before),
  );
}
