/** /portal/api/accounts/:account/settings: owners can change them, every member can look. */
import { changeSettings, findSettings, findStored, readStored } from '../../accounts/settings.ts';
import { provided, sameSettings } from '../../accounts/unchanged.ts';
import { memberOf } from '../../identity/access.ts';
import { TAKEN } from '../../operations/conventions.ts';
import { refuse, refuseField, refuseFields } from '../../operations/refusal.ts';
import { versionOf } from '../../operations/version.ts';
import { findHeldName } from '../accounts/held-names.ts';
import { operation } from '../operation.ts';
import { SettingsChange, SettingsView } from './contract.ts';
import { readSettings, showSettings, writeSettings } from './settings.ts';

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
    description:
      'Replaces all of them; null means the service’s default. Takes effect within a second. With the `version` that was read, nothing is replaced that somebody else changed since.',
    body: SettingsChange,
    response: { 200: SettingsView },
    problems: ['outdated'],
    handler: async (request, { clock, defaults, providers }) => {
      const by = memberOf(request);
      const { version, ...body } = request.body;
      const before = await findStored(by.records, by.accountId);
      if (before === undefined) return refuse('not-found');
      const { name, stored } = before;
      const settings = readStored(stored);
      if (version !== undefined && version !== versionOf(writeSettings({ name, settings })))
        return refuse('outdated');
      const read = readSettings({ accountId: by.accountId, stored: settings }, body, defaults);
      if (!read.ok) return refuseFields(read.errors);
      const wanted = { name: body.name.trim(), settings: read.settings };
      const fault = findHeldName(providers, wanted.name, name);
      if (fault !== undefined) return refuseField('name', fault);
      const unchanged = sameSettings(by.accountId, name, stored);
      const records = version === undefined ? by.records : provided(by.records, by.accountId, unchanged);
      switch (await changeSettings(records, by.accountId, wanted, by, clock.wall())) {
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
