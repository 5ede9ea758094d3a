/** GET /portal/api/accounts/:account/carriers: how the carriers fare just now. */
import type { FastifyInstance } from 'fastify';
import type { Access } from '../access.ts';
import { CarrierHealth } from '../contract/overview.ts';
import { AccountPath, MEMBER_PROBLEMS, SESSION } from './conventions.ts';

export function registerCarrierHealth(
  app: FastifyInstance,
  read: () => Promise<CarrierHealth>,
  access: Access,
): void {
  app.get(
    '/portal/api/accounts/:account/carriers',
    {
      onRequest: access.viewer,
      schema: {
        operationId: 'readCarrierHealth',
        summary: 'Read how the carriers fare',
        description: 'The last hour’s traffic of all accounts, as rates alone.',
        tags: ['portal'],
        security: SESSION,
        params: AccountPath,
        response: { 200: CarrierHealth },
      },
      config: { problems: [...MEMBER_PROBLEMS] },
    },
    read,
  );
}
