/** /portal/api/accounts/:account/verifications: list, search by number, one with its attempts, its full number. */
import type { FastifyReply } from 'fastify';
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { operation } from '../operation.ts';
import { Filters, Revealed, Search, VerificationDetail, VerificationPage } from './contract.ts';
import type { Found } from './verifications.ts';

export const verifications = {
  listVerifications: operation<{ Querystring: Filters }>({
    summary: 'List verifications',
    description: 'Newest first, fifty at a time. `searched_to` says how far back the search went.',
    querystring: Filters,
    response: { 200: VerificationPage },
    handler: async (request, reply, { lookup: { verifications } }) =>
      answer(reply, await verifications.list(memberOf(request).accountId, request.query)),
  }),

  searchVerifications: operation<{ Body: Search }>({
    summary: 'Search verifications by number or id',
    description: 'The number must be complete. It is sent in the body, so that it never appears in a URL.',
    body: Search,
    response: { 200: VerificationPage },
    handler: async (request, reply, { lookup: { verifications } }) => {
      const { query, ...filters } = request.body;
      return answer(reply, await verifications.search(memberOf(request).accountId, query, filters));
    },
  }),

  readVerification: operation<{ Params: { id: string } }>({
    summary: 'Read what happened to a verification',
    description: 'Each attempt with its carrier, why that one was chosen, its reason, receipt and cost.',
    response: { 200: VerificationDetail },
    handler: async (request, reply, { lookup: { verifications } }) => {
      const found = await verifications.detail(memberOf(request).accountId, request.params.id);
      return found ?? sendProblem(reply, 'not-found');
    },
  }),

  revealDestination: operation<{ Params: { id: string } }>({
    summary: 'Read the full number of a verification',
    description: 'For owners. The audit log records each call.',
    response: { 200: Revealed },
    handler: async (request, reply, { lookup: { verifications } }) => {
      const destination = await verifications.reveal(memberOf(request), request.params.id);
      return destination === undefined ? sendProblem(reply, 'not-found') : { destination };
    },
  }),
};

function answer(reply: FastifyReply, found: Found) {
  return found.ok ? found.page : sendProblem(reply, 'invalid-request', { errors: found.errors });
}
