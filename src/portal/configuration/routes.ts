/** /portal/api/accounts/:account/configuration: what may be added to the configuration, and whether it would be taken. */
import { memberOf } from '../access.ts';
import { operation } from '../operation.ts';
import { refuse, refuseUntil } from '../refusal.ts';
import { Checked, Configuration, ConfigurationForms, Proposal } from './contract.ts';

export const configuration = {
  readConfiguration: operation({
    summary: 'Read where the options of carriers and routes were set',
    description:
      'Names of options, of variables and lines of the file, never a value. Empty for accounts other than the first.',
    response: { 200: Configuration },
    handler: (request, { configuration: desk }) => desk.read(memberOf(request).accountId),
  }),

  readConfigurationForms: operation({
    summary: 'Read which options a carrier of each type and a route have',
    description: 'The same as the reference of the configuration.',
    response: { 200: ConfigurationForms },
    handler: (_request, { configuration: desk }) => desk.describeForms(),
  }),

  checkConfiguration: operation({
    summary: 'Check carriers and routes that are to be added',
    description:
      'Says what `countersign config check` would say. Nothing is saved or logged, no file that they name is opened, and no address is connected to. Only in the first account. At most thirty times a minute.',
    body: Proposal,
    response: { 200: Checked },
    problems: ['asked-too-often'],
    handler: async (request, { configuration: desk }) => {
      const { accountId } = memberOf(request);
      const wait = desk.pace.take(accountId);
      if (wait !== undefined) {
        return refuseUntil(wait, 'asked-too-often');
      }
      return (await desk.check(accountId, request.body.yaml)) ?? refuse('forbidden');
    },
  }),
};
