/** How the portal shows alerts, rules and who is notified. */
import { type Alert as Fired, readFiring, readLastNotice } from '../../accounts/alerts/alerts.ts';
import { readAlertChannels } from '../../accounts/alerts/channels.ts';
import type { Member } from '../../accounts/standing.ts';
import { RULE_NAMES, type RuleInForce, type RuleName, ruleOf } from '../../core/alerts/rule.ts';
import { formatInstant, formatOptional } from '../../operations/instant.ts';
import type { Portal } from '../deps.ts';
import type { AlertsView, AlertView, Channels, Rule } from './contract.ts';

export async function readAlerts({ records, alerts }: Portal, member: Member): Promise<AlertsView> {
  const [firing, channels] = await Promise.all([
    readFiring(records, member.accountId),
    readChannels({ records, alerts }, member),
  ]);
  return {
    firing: firing.map(showAlert),
    rules: RULE_NAMES.map((name) => showRule(name, alerts.inForce(name))),
    channels,
  };
}

async function readChannels(
  { records, alerts }: Pick<Portal, 'records' | 'alerts'>,
  { accountId, personId }: Member,
): Promise<Channels> {
  const [{ subscribers, webhook }, mailed, posted] = await Promise.all([
    readAlertChannels(records, accountId),
    readLastNotice(records, accountId, 'email', personId),
    readLastNotice(records, accountId, 'webhook', ''),
  ]);
  return {
    email: {
      possible: alerts.hasMail,
      mine: subscribers.some(({ id }) => id === personId),
      last: showLast(mailed),
      members: subscribers.map(({ name }) => name),
    },
    webhook:
      webhook === null
        ? null
        : {
            host: webhook.host,
            added_by: webhook.addedBy,
            added_at: formatInstant(webhook.addedAt),
            // What was sent to the previous webhook says nothing about this one.
            last: showLast(posted !== null && posted.triedAt >= webhook.addedAt ? posted : null),
          },
    installation: alerts.ownPlaces,
  };
}

const showLast = (last: Awaited<ReturnType<typeof readLastNotice>>): Channels['email']['last'] =>
  last === null
    ? null
    : {
        sent_at: formatOptional(last.sentAt),
        tried_at: formatInstant(last.triedAt),
        answer: last.answer,
      };

export function showAlert(alert: Fired): AlertView {
  const { id, accountId, rule, subject, detail, place, firingSince, overAt, told } = alert;
  return {
    ...{ id, rule, title: ruleOf(rule).title, installation: accountId === null },
    ...{ subject, detail, place },
    firing_since: formatInstant(firingSince),
    over_at: formatOptional(overAt),
    told: told.map(({ channel, name, installation, kind, sentAt, waits, answer }) => ({
      ...{ channel, name, installation, kind, waits, answer },
      sent_at: formatOptional(sentAt),
    })),
  };
}

function showRule(name: RuleName, { on, threshold }: RuleInForce): Rule {
  const { title, means, of } = ruleOf(name);
  return {
    ...{ name, title, installation: of === 'installation', on },
    means: means.replace(/\bN\b/, threshold === null ? 'the stated amount' : String(threshold)),
  };
}
