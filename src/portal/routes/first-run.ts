/** GET /portal/api/state and POST /portal/api/setup: from an empty installation to its first owner. */
import type { FastifyInstance } from 'fastify';
import type { RequestHook } from '../../http/authentication.ts';
import { sendProblem } from '../../http/problem.ts';
import { PortalState, Setup } from '../contract/session.ts';
import type { PortalDeps } from '../deps.ts';
import { readDevices } from '../device.ts';
import { passwordFault } from '../password-rules.ts';
import { normalizeEmail } from '../people.ts';
import { isSetupNeeded, setUp } from '../setup.ts';
import { enter } from '../sign-in.ts';
import { CHANGE_PROBLEMS, NoContent, refuseField } from './conventions.ts';

export function registerFirstRun(
  app: FastifyInstance,
  deps: PortalDeps,
  installation: Pick<PortalState, 'oidc' | 'own_certificate'>,
  unlessBusy: RequestHook,
): void {
  const { records, passwords, addressOf } = deps;
  app.get(
    '/portal/api/state',
    {
      schema: {
        operationId: 'readPortalState',
        summary: 'Read what a visitor may know',
        tags: ['portal'],
        response: { 200: PortalState },
      },
      config: { problems: ['unavailable'] },
    },
    async () => ({ setup_needed: await isSetupNeeded(records), ...installation }),
  );

  app.post<{ Body: Setup }>(
    '/portal/api/setup',
    {
      onRequest: unlessBusy,
      schema: {
        operationId: 'setUpPortal',
        summary: 'Make the first owner',
        tags: ['portal'],
        body: Setup,
        response: { 204: NoContent },
      },
      config: { problems: [...CHANGE_PROBLEMS, 'link-spent', 'overloaded'] },
    },
    async (request, reply) => {
      const { token, name, password } = request.body;
      const email = normalizeEmail(request.body.email);
      const fault = passwordFault(password, email);
      if (fault !== undefined) return refuseField(reply, 'password', fault);
      const now = Date.now();
      const address = addressOf(request);
      const person = { name: name.trim(), email, password: await passwords.hash(password), address };
      const { personId, steps } = setUp(token, person, now);
      const owner = await readDevices(records, personId);
      const entry = enter(deps, request, { owner, method: 'password', address }, now);
      const answer = await records.transact([...steps, ...entry.steps], true);
      if (!answer.done) return sendProblem(reply, 'link-spent');
      entry.session.hand(reply);
      return reply.code(204).send();
    },
  );
}
