/** /portal/api/accounts/:account/verifications: list, search by number, one with its attempts, its full number. */
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { Id } from '../contract.ts';
import { AccountPath } from '../conventions.ts';
import { operation } from '../operation.ts';
import { Filters, Revealed, Search, VerificationDetail, VerificationPage } from './contract.ts';
import type { Found } from './verifications.ts';

const OnePath = Type.Object({ account: Id, id: Id });
type OnePath = Static<typeof OnePath>;

export const verifications = {
  listVerifications: operation<{ Querystring: Filters }>(
    {
      operationId: 'listVerifications',
      summary: 'List verifications',
      description: 'Newest first, fifty at a time. `searched_to` says how far back the search went.',
      params: AccountPath,
      querystring: Filters,
      response: { 200: VerificationPage },
    },
    async (request, reply, { lookup: { verifications } }) =>
      answer(reply, await verifications.list(memberOf(request).accountId, request.query)),
  ),

  searchVerifications: operation<{ Body: Search }>(
    {
      operationId: 'searchVerifications',
      summary: 'Search verifications by number or id',
      description: 'The number must be complete. It is sent in the body, so that it never appears in a URL.',
      params: AccountPath,
      body: Search,
      response: { 200: VerificationPage },
    },
    async (request, reply, { lookup: { verifications } }) => {
      const { query, ...filters } = request.body;
      return answer(reply, await verifications.search(memberOf(request).accountId, query, filters));
    },
  ),

  readVerification: operation<{ Params: OnePath }>(
    {
      operationId: 'readVerification',
      summary: 'Read what happened to a verification',
      params: OnePath,
      response: { 200: VerificationDetail },
    },
    async (request, reply, { lookup: { verifications } }) => {
      const found = await verifications.detail(memberOf(request).accountId, request.params.id);
      return found ?? sendProblem(reply, 'not-found');
    },
  ),

  reveal: operation<{ Params: OnePath }>(
    {
      operationId: 'revealDestination',
      summary: 'Read the full number of a verification',
      description: 'For owners. The audit log records each call.',
      params: OnePath,
      response: { 200: Revealed },
    },
    async (request, reply, { lookup: { verifications } }) => {
      const destination = await verifications.reveal(memberOf(request), request.params.id);
      return destination === undefined ? sendProblem(reply, 'not-found') : { destination };
    },
  ),
};

function answer(reply: FastifyReply, found: Found) {
  return found.ok ? found.page : sendProblem(reply, 'invalid-request', { errors: found.errors });
}
