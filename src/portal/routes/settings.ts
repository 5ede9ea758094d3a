/** /portal/api/accounts/:account/settings: owners change what their account sets for itself; every member may look. */
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { auditStep } from '../audit.ts';
import { Settings, SettingsView } from '../contract/settings.ts';
import { operation } from '../operation.ts';
import { describeSettings, readSettings, showSettings } from '../settings.ts';
import { AccountPath, refuseField } from './conventions.ts';

export const settings = {
  readSettings: operation(
    {
      operationId: 'readSettings',
      summary: 'Read the settings of an account',
      description: 'With what is in force where the account sets nothing.',
      response: { 200: SettingsView },
      params: AccountPath,
    },
    async (request, reply, { records, settingsIn, defaults }) => {
      const found = await settingsIn(records).read(memberOf(request).accountId);
      if (found === undefined) return sendProblem(reply, 'not-found');
      return showSettings(found.name, found.settings, defaults);
    },
  ),

  changeSettings: operation<{ Body: Settings }>(
    {
      operationId: 'changeSettings',
      summary: 'Change the settings of an account',
      description: 'All of them; null leaves what the service says. In force within a second.',
      body: Settings,
      response: { 200: SettingsView },
      params: AccountPath,
    },
    async (request, reply, { settingsIn, defaults }) => {
      const { accountId, personName: who, address, records } = memberOf(request);
      const read = readSettings(request.body, defaults);
      if (!read.ok) return sendProblem(reply, 'invalid-request', { errors: read.errors });
      const before = await settingsIn(records).read(accountId);
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
  ),
};
