/** GET /portal/api/accounts/:account/overview and overview.csv: the funnel, from counters. */
import Type from 'typebox';
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { AccountPath } from '../conventions.ts';
import { operation } from '../operation.ts';
import { Overview, OverviewQuery } from './contract.ts';
import { formatOverviewCsv } from './overview-csv.ts';

export const overview = {
  readOverview: operation<{ Querystring: OverviewQuery }>(
    {
      operationId: 'readOverview',
      summary: 'Read the funnel of an account',
      description:
        'In total, over time, and by country, carrier and key. Requests, failures and limits have no carrier: for one carrier they are null, and its funnel starts with the attempts.',
      response: { 200: Overview },
      params: AccountPath,
      querystring: OverviewQuery,
    },
    async (request, reply, { lookup }) => {
      const found = await lookup.readOverview(memberOf(request).accountId, request.query);
      return found.ok ? found.overview : sendProblem(reply, 'invalid-request', { errors: found.errors });
    },
  ),

  exportOverview: operation<{ Querystring: OverviewQuery }>(
    {
      operationId: 'exportOverview',
      summary: 'Export the funnel of an account as CSV',
      response: { 200: { content: { 'text/csv': { schema: Type.String() } } } },
      params: AccountPath,
      querystring: OverviewQuery,
    },
    async (request, reply, { lookup }) => {
      const found = await lookup.readOverview(memberOf(request).accountId, request.query);
      if (!found.ok) return sendProblem(reply, 'invalid-request', { errors: found.errors });
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="overview.csv"')
        .send(formatOverviewCsv(found.overview));
    },
  ),
};
