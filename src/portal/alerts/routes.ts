/** /portal/api/accounts/:account/alerts: what fires, the rules, and silence. */
import { countFiring } from '../../accounts/alerts/alerts.ts';
import type { AlertChange } from '../../accounts/alerts/change.ts';
import { changeRule } from '../../accounts/alerts/rules.ts';
import { addSilence, liftSilence } from '../../accounts/alerts/silences.ts';
import type { Member } from '../../accounts/standing.ts';
import { isRuleName } from '../../core/alerts/rule.ts';
import { MAX_SILENCES } from '../../core/alerts/silence.ts';
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { NoContent, refuseConflict, refuseField } from '../conventions.ts';
import type { Portal } from '../deps.ts';
import { operation } from '../operation.ts';
import { AlertCount, Alerts, NewSilence, RuleWish } from './contract.ts';
import { readAlerts } from './view.ts';

const TOO_MANY = `The account has ${MAX_SILENCES} silences, which is the maximum. Lift one that is not needed.`;

export const changeBy = ({ clock }: Pick<Portal, 'clock'>, by: Member): AlertChange => ({
  accountId: by.accountId,
  by,
  now: clock.wall(),
});

export const alerts = {
  readAlerts: operation({
    summary: 'Read the alerts of an account',
    description:
      'What fires, of the account and of the installation, what fired in the last 90 days, the rules, whom they are told to, and silences.',
    response: { 200: Alerts },
    handler: (request, _reply, portal) => readAlerts(portal, memberOf(request), portal.clock.wall()),
  }),

  countAlerts: operation({
    summary: 'Count the alerts that fire',
    description: 'Those that the page of alerts shows.',
    response: { 200: AlertCount },
    handler: async (request, _reply, { records }) => ({
      firing: await countFiring(records, memberOf(request).accountId),
    }),
  }),

  changeAlertRule: operation<{ Params: { rule: string }; Body: RuleWish }>({
    summary: 'Change a rule of alerts',
    description:
      'On or off, and its threshold; what is left out is the default again. Takes effect at the next look.',
    body: RuleWish,
    response: { 204: NoContent },
    handler: async (request, reply, portal) => {
      const by = memberOf(request);
      const { rule } = request.params;
      if (!isRuleName(rule)) return sendProblem(reply, 'not-found');
      const changed = await changeRule(by.records, changeBy(portal, by), rule, request.body);
      if (changed.kind === 'unknown') return sendProblem(reply, 'not-found');
      if (changed.kind === 'wrong') return refuseField(reply, changed.error.field, changed.error);
      return reply.code(204).send();
    },
  }),

  silenceAlerts: operation<{ Body: NewSilence }>({
    summary: 'Silence alerts',
    description:
      'Nobody is told of them until then; they are still shown. Only those of the account: those of the installation are for its configuration.',
    body: NewSilence,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, reply, portal) => {
      const by = memberOf(request);
      const { rule, subject, until, reason } = request.body;
      const wish = { rule, subject, endsAt: Date.parse(until), reason: reason.trim() };
      const added = await addSilence(by.records, changeBy(portal, by), wish);
      if (added.kind === 'wrong') return refuseField(reply, added.error.field, added.error);
      return added.kind === 'too-many' ? refuseConflict(reply, TOO_MANY) : reply.code(204).send();
    },
  }),

  liftAlertSilence: operation<{ Params: { id: string } }>({
    summary: 'Lift a silence',
    description: 'What still fires and nobody was told of is told at the next look.',
    response: { 204: NoContent },
    handler: async (request, reply, portal) => {
      const by = memberOf(request);
      return (await liftSilence(by.records, changeBy(portal, by), request.params.id))
        ? reply.code(204).send()
        : sendProblem(reply, 'not-found');
    },
  }),
};
