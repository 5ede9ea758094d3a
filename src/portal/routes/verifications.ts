/** /portal/api/accounts/:account/verifications: lists, search by number, one with its attempts, its number in clear. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { sendProblem } from '../../http/problem.ts';
import { type Access, memberOf } from '../access.ts';
import { Id } from '../contract/common.ts';
import {
  Filters,
  Revealed,
  Search,
  VerificationDetail,
  VerificationPage,
} from '../contract/verifications.ts';
import type { Found, Verifications } from '../verifications.ts';
import {
  AccountPath,
  CHANGE_PROBLEMS,
  MEMBER_PROBLEMS,
  PROVEN_MEMBER_PROBLEMS,
  SESSION,
} from './conventions.ts';

const PATH = '/portal/api/accounts/:account/verifications';
const OnePath = Type.Object({ account: Id, id: Id });
type OnePath = Static<typeof OnePath>;

export function registerVerifications(
  app: FastifyInstance,
  { list, search, detail, reveal }: Verifications,
  access: Access,
): void {
  const shared = { tags: ['portal'], security: SESSION };

  app.get<{ Querystring: Filters }>(
    PATH,
    {
      onRequest: access.viewer,
      schema: {
        ...shared,
        operationId: 'listVerifications',
        summary: 'List verifications',
        description: 'Newest first, fifty at a time. `searched_to` says how far back was looked for them.',
        params: AccountPath,
        querystring: Filters,
        response: { 200: VerificationPage },
      },
      config: { problems: [...MEMBER_PROBLEMS, 'invalid-request'] },
    },
    async (request, reply) => answer(reply, await list(memberOf(request).accountId, request.query)),
  );

  app.post<{ Body: Search }>(
    `${PATH}/search`,
    {
      onRequest: access.viewer,
      schema: {
        ...shared,
        operationId: 'searchVerifications',
        summary: 'Search verifications by number or id',
        description: 'A number travels in the body, so that it stands in no URL. It must be complete.',
        params: AccountPath,
        body: Search,
        response: { 200: VerificationPage },
      },
      config: { problems: [...MEMBER_PROBLEMS, ...CHANGE_PROBLEMS] },
    },
    async (request, reply) => {
      const { query, ...filters } = request.body;
      return answer(reply, await search(memberOf(request).accountId, query, filters));
    },
  );

  app.get<{ Params: OnePath }>(
    `${PATH}/:id`,
    {
      onRequest: access.viewer,
      schema: {
        ...shared,
        operationId: 'readVerification',
        summary: 'Read what became of a verification',
        params: OnePath,
        response: { 200: VerificationDetail },
      },
      config: { problems: [...MEMBER_PROBLEMS] },
    },
    async (request, reply) => {
      const found = await detail(memberOf(request).accountId, request.params.id);
      return found ?? sendProblem(reply, 'not-found');
    },
  );

  app.post<{ Params: OnePath }>(
    `${PATH}/:id/reveal`,
    {
      onRequest: access.proven.owner,
      schema: {
        ...shared,
        operationId: 'revealDestination',
        summary: 'Read the number of a verification in clear',
        description: 'For owners. That it was asked for goes into the audit log.',
        params: OnePath,
        response: { 200: Revealed },
      },
      config: { problems: [...PROVEN_MEMBER_PROBLEMS, 'cross-site'] },
    },
    async (request, reply) => {
      const destination = await reveal(memberOf(request), request.params.id);
      return destination === undefined ? sendProblem(reply, 'not-found') : { destination };
    },
  );
}

function answer(reply: FastifyReply, found: Found) {
  return found.ok ? found.page : sendProblem(reply, 'invalid-request', { errors: found.errors });
}
