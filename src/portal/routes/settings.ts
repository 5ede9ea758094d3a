/** /portal/api/accounts/:account/settings: owners change what their account sets for itself; every member may look. */
import type { FastifyInstance } from 'fastify';
import type { AccountSettingsStore } from '../../core/account-settings.ts';
import type { Records } from '../../core/records.ts';
import { sendProblem } from '../../http/problem.ts';
import { type Access, memberOf } from '../access.ts';
import { auditStep } from '../audit.ts';
import { Settings, SettingsView } from '../contract/settings.ts';
import { describeSettings, readSettings, type ServiceDefaults, showSettings } from '../settings.ts';
import {
  AccountPath,
  CHANGE_PROBLEMS,
  MEMBER_PROBLEMS,
  PROVEN_MEMBER_PROBLEMS,
  refuseField,
  SESSION,
} from './conventions.ts';

const PATH = '/portal/api/accounts/:account/settings';
const common = { tags: ['portal'], security: SESSION, params: AccountPath };

export function registerSettings(
  app: FastifyInstance,
  records: Records,
  settingsIn: (records: Records) => AccountSettingsStore,
  defaults: ServiceDefaults,
  access: Access,
): void {
  const store = settingsIn(records);

  app.get(
    PATH,
    {
      onRequest: access.viewer,
      schema: {
        ...common,
        operationId: 'readSettings',
        summary: 'Read the settings of an account',
        description: 'With what is in force where the account sets nothing.',
        response: { 200: SettingsView },
      },
      config: { problems: MEMBER_PROBLEMS },
    },
    async (request, reply) => {
      const found = await store.read(memberOf(request).accountId);
      if (found === undefined) return sendProblem(reply, 'not-found');
      return showSettings(found.name, found.settings, defaults);
    },
  );

  app.put<{ Body: Settings }>(
    PATH,
    {
      onRequest: access.proven.owner,
      schema: {
        ...common,
        operationId: 'changeSettings',
        summary: 'Change the settings of an account',
        description: 'All of them; null leaves what the service says. In force within a second.',
        body: Settings,
        response: { 200: SettingsView },
      },
      config: { problems: [...PROVEN_MEMBER_PROBLEMS, ...CHANGE_PROBLEMS] },
    },
    async (request, reply) => {
      const { accountId, personName: who, address, records } = memberOf(request);
      const read = readSettings(request.body, defaults);
      if (!read.ok) return sendProblem(reply, 'invalid-request', { errors: read.errors });
      const before = await store.read(accountId);
      if (before === undefined) return sendProblem(reply, 'not-found');
      const name = request.body.name.trim();
      const view = showSettings(name, read.settings, defaults);
      const detail = describeSettings(
        showSettings(before.name, before.settings, defaults).settings,
        view.settings,
      );
      const entry = auditStep({
        accountId,
        who,
        address,
        action: 'settings.changed',
        subject: name,
        detail,
        at: Date.now(),
      });
      const outcome = await settingsIn(records).write(accountId, name, read.settings, entry);
      return outcome === 'written' ? view : refuseField(reply, 'name', 'is taken');
    },
  );
}
