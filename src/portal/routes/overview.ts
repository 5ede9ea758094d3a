/** GET /portal/api/accounts/:account/overview and overview.csv: the funnel, from counters. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { sendProblem } from '../../http/problem.ts';
import { type Access, memberOf } from '../access.ts';
import { Overview, OverviewQuery } from '../contract/overview.ts';
import type { ReadOverview } from '../overview.ts';
import { formatOverviewCsv } from '../overview-csv.ts';
import { AccountPath, MEMBER_PROBLEMS, SESSION } from './conventions.ts';

const PATH = '/portal/api/accounts/:account/overview';

export function registerOverview(app: FastifyInstance, read: ReadOverview, access: Access): void {
  const schema = { tags: ['portal'], security: SESSION, params: AccountPath, querystring: OverviewQuery };
  const shared = {
    onRequest: access.viewer,
    config: { problems: [...MEMBER_PROBLEMS, 'invalid-request'] as const },
  };

  app.get<{ Querystring: OverviewQuery }>(
    PATH,
    {
      ...shared,
      schema: {
        ...schema,
        operationId: 'readOverview',
        summary: 'Read the funnel of an account',
        description:
          'In all, over time, and by country, carrier and key. Requests, failures and limits belong to no carrier: of one, they are null, and its funnel begins with its attempts.',
        response: { 200: Overview },
      },
    },
    async (request, reply) => {
      const found = await read(memberOf(request).accountId, request.query);
      return found.ok ? found.overview : sendProblem(reply, 'invalid-request', { errors: found.errors });
    },
  );

  app.get<{ Querystring: OverviewQuery }>(
    `${PATH}.csv`,
    {
      ...shared,
      schema: {
        ...schema,
        operationId: 'exportOverview',
        summary: 'Export the funnel of an account as CSV',
        response: { 200: { content: { 'text/csv': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const found = await read(memberOf(request).accountId, request.query);
      if (!found.ok) return sendProblem(reply, 'invalid-request', { errors: found.errors });
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="overview.csv"')
        .send(formatOverviewCsv(found.overview));
    },
  );
}
