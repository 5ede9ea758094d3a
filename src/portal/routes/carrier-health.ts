/** GET /portal/api/accounts/:account/carriers: how the carriers fare just now. */
import type { FastifyInstance } from 'fastify';
import { type Access, memberOf } from '../access.ts';
import { CarrierHealth } from '../contract/overview.ts';
import { AccountPath, MEMBER_PROBLEMS, SESSION } from './conventions.ts';

export function registerCarrierHealth(
  app: FastifyInstance,
  read: (accountId: string) => Promise<CarrierHealth>,
  access: Access,
): void {
  app.get(
    '/portal/api/accounts/:account/carriers',
    {
      onRequest: access.viewer,
      schema: {
        operationId: 'readCarrierHealth',
        summary: 'Read how the carriers fare',
        description:
          'What the installation sees of each, and what became of the messages of this account in the last hour.',
        tags: ['portal'],
        security: SESSION,
        params: AccountPath,
        response: { 200: CarrierHealth },
      },
      config: { problems: [...MEMBER_PROBLEMS] },
    },
    (request) => read(memberOf(request).accountId),
  );
}
