/** DELETE /portal/api/me/identities/:id: parting from a provider of single sign-on. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { sendProblem } from '../../http/problem.ts';
import { type Access, personOf } from '../access.ts';
import { auditPersonStep } from '../audit.ts';
import { Id } from '../contract/common.ts';
import type { PortalDeps } from '../deps.ts';
import { keepsAnotherWay, unlink } from '../oidc/identities.ts';
import { lockPerson } from '../people.ts';
import { NoContent, PROVEN_PROBLEMS, SESSION } from './conventions.ts';

export function registerIdentities(app: FastifyInstance, { records }: PortalDeps, access: Access): void {
  app.delete<{ Params: { id: string } }>(
    '/portal/api/me/identities/:id',
    {
      onRequest: access.proven.signedIn,
      schema: {
        operationId: 'unlinkIdentity',
        summary: 'Part from a provider of single sign-on',
        description: 'While a password or a passkey remains to sign in with.',
        tags: ['portal'],
        security: SESSION,
        params: Type.Object({ id: Id }),
        response: { 204: NoContent },
      },
      config: { problems: [...PROVEN_PROBLEMS, 'cross-site', 'not-found', 'conflict'] },
    },
    async (request, reply) => {
      const { personId, address } = personOf(request);
      const answer = await records.transact([
        lockPerson(personId),
        unlink(personId, request.params.id),
        keepsAnotherWay(personId),
        auditPersonStep({ personId, address, action: 'identity.unlinked', at: Date.now() }),
      ]);
      if (answer.done) return reply.code(204).send();
      if (answer.refusedBy !== 2) return sendProblem(reply, 'not-found');
      return sendProblem(reply, 'conflict', {
        detail: 'It is all that you sign in with. Set a password or add a passkey first.',
      });
    },
  );
}
