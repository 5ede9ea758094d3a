/** /portal/api/accounts/:account/settings: owners can change them, every member can look. */
import { changeSettings, findSettings } from '../../accounts/settings.ts';
import { memberOf } from '../../identity/access.ts';
import { TAKEN } from '../../operations/conventions.ts';
import { refuse, refuseField, refuseFields } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import { Settings, SettingsView } from './contract.ts';
import { readSettings, showSettings } from './settings.ts';

export const settings = {
  readSettings: operation({
    summary: 'Read the settings of an account',
    description: 'With the service’s defaults for everything that the account does not set.',
    response: { 200: SettingsView },
    handler: async (request, { records, defaults }) => {
      const found = await findSettings(records, memberOf(request).accountId);
      if (found === undefined) return refuse('not-found');
      return showSettings(memberOf(request).accountId, found, defaults);
    },
  }),

  changeSettings: operation({
    summary: 'Change the settings of an account',
    description: 'Replaces all of them; null means the service’s default. Takes effect within a second.',
    body: Settings,
    response: { 200: SettingsView },
    handler: async (request, { clock, defaults }) => {
      const by = memberOf(request);
      const before = await findSettings(by.records, by.accountId);
      if (before === undefined) return refuse('not-found');
      const read = readSettings({ accountId: by.accountId, stored: before.settings }, request.body, defaults);
      if (!read.ok) return refuseFields(read.errors);
      const wanted = { name: request.body.name.trim(), settings: read.settings };
      switch (await changeSettings(by.records, by.accountId, wanted, by, clock.wall())) {
        case 'changed':
          return showSettings(by.accountId, wanted, defaults);
        case 'taken':
          return refuseField('name', TAKEN);
        case 'unknown':
          return refuse('not-found');
      }
    },
  }),
};
