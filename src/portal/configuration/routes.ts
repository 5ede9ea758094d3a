/** /portal/api/accounts/:account/configuration: what may be added to the configuration, and where its options were set. */
import { memberOf } from '../../identity/access.ts';
import { operation } from '../operation.ts';
import { Configuration, ConfigurationForms } from './contract.ts';

export const configuration = {
  readConfiguration: operation({
    summary: 'Read where the options of carriers and routes were set',
    description:
      'Names of options, of variables and lines of the file, never a value. Empty for accounts other than the first.',
    response: { 200: Configuration },
    handler: (request, { configuration: reader }) => reader.read(memberOf(request).accountId),
  }),

  readConfigurationForms: operation({
    summary: 'Read which options a carrier of each type and a route have',
    description: 'The same as the reference of the configuration.',
    response: { 200: ConfigurationForms },
    handler: (_request, { configuration: reader }) => reader.describeForms(),
  }),
};
