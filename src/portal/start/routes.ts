/** GET /portal/api/accounts/:account/start: the first steps. */
import { memberOf } from '../../identity/access.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { operation } from '../operation.ts';
import { Start } from './contract.ts';
import { dismissStart } from './dismissal.ts';

export const start = {
  readStart: operation({
    summary: 'Read which first steps are done',
    description:
      'Derived from what is there: keys, traffic of the last 30 days, routes, who is told of alerts, members, second factor.',
    response: { 200: Start },
    handler: async (request, { lookup, isDemo, defaults: { simulated, reaching } }) => {
      const { accountId, personId } = memberOf(request);
      const { isLive, ...start } = await lookup.readStart(accountId, personId);
      const live_simulated = simulated.filter(isLive);
      return { ...start, carrier: reaching.length > 0, live_simulated, reaching, demo: isDemo };
    },
  }),

  dismissStart: operation({
    summary: 'Put the first steps away',
    description: 'For the person who asks, in this account, on every machine.',
    response: { 204: NoContent },
    handler: async (request, { clock }) => {
      await dismissStart(memberOf(request), clock.wall());
      return DONE;
    },
  }),
};
