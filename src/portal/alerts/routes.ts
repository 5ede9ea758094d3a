/** /portal/api/accounts/:account/alerts: what fires, and the rules. */
import { countFiring, readOver } from '../../accounts/alerts/alerts.ts';
import type { AlertChange } from '../../accounts/alerts/change.ts';
import { readTimePlace } from '../../accounts/list-place.ts';
import type { Member } from '../../accounts/standing.ts';
import { memberOf } from '../../identity/access.ts';
import { NO_CURSOR } from '../../operations/conventions.ts';
import { refuseField } from '../../operations/refusal.ts';
import type { Portal } from '../deps.ts';
import { operation } from '../operation.ts';
import { AlertCount, AlertHistory, AlertHistoryQuery, AlertsView } from './contract.ts';
import { readAlerts, showAlert } from './view.ts';

export const changeBy = ({ clock }: Pick<Portal, 'clock'>, by: Member): AlertChange => ({
  accountId: by.accountId,
  by,
  now: clock.wall(),
});

export const alerts = {
  readAlerts: operation({
    summary: 'Read the alerts of an account',
    description: 'What fires, of the account and of the installation, the rules, and whom they are told to.',
    response: { 200: AlertsView },
    handler: (request, portal) => readAlerts(portal, memberOf(request)),
  }),

  readAlertHistory: operation({
    summary: 'Read what fired and is over',
    description: 'Of the last 90 days, newest first, twenty at a time.',
    querystring: AlertHistoryQuery,
    response: { 200: AlertHistory },
    handler: async (request, { records, clock }) => {
      const { accountId } = memberOf(request);
      const { before } = request.query;
      const after = before === undefined ? undefined : readTimePlace(before);
      if (before !== undefined && after === undefined) return refuseField('before', NO_CURSOR);
      const { alerts, next } = await readOver(records, accountId, after, clock.wall());
      return { alerts: alerts.map(showAlert), next };
    },
  }),

  countAlerts: operation({
    summary: 'Count the alerts that fire',
    description: 'Those that the page of alerts shows.',
    response: { 200: AlertCount },
    handler: async (request, { records }) => ({
      firing: await countFiring(records, memberOf(request).accountId),
    }),
  }),
};
