/** How the portal shows alerts, rules and whom they are told to. */
import { type Alert as Fired, readFiring, readLastNotice, readOver } from '../../accounts/alerts/alerts.ts';
import { readAlertChannels } from '../../accounts/alerts/channels.ts';
import { readRuleWishes } from '../../accounts/alerts/rules.ts';
import { readSilences } from '../../accounts/alerts/silences.ts';
import type { Member } from '../../accounts/standing.ts';
import { inForce, RULE_NAMES, type RuleName, type RuleWishes, ruleOf } from '../../core/alerts/rule.ts';
import { isSilenced, type Silence as Kept } from '../../core/alerts/silence.ts';
import type { Portal } from '../deps.ts';
import { formatInstant, formatOptional } from '../instant.ts';
import type { Alert, Alerts, Channels, Rule, Silence } from './contract.ts';

export async function readAlerts({ records, alerts }: Portal, member: Member, now: number): Promise<Alerts> {
  const { accountId } = member;
  const [firing, over, wishes, silences, theirs, channels] = await Promise.all([
    readFiring(records, accountId),
    readOver(records, accountId, now),
    readRuleWishes(records, accountId),
    readSilences(records, now, accountId),
    readSilences(records, now, null),
    readChannels({ records, alerts }, member),
  ]);
  return {
    firing: firing.map((each) => showAlert(each, [...silences, ...theirs], now)),
    over: over.map((each) => showAlert(each, [], now)),
    rules: RULE_NAMES.map((name) => showRule(name, wishes, alerts.wishes)),
    channels,
    silences: silences.map(showSilence),
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
            // What was sent to the one before says nothing of this one.
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

function showAlert(alert: Fired, silences: readonly Kept[], now: number): Alert {
  const { id, accountId, rule, subject, detail, place, firingSince, overAt, told } = alert;
  const silencing = silences.filter((each) => isSilenced(alert, [each], now));
  return {
    ...{ id, rule, title: ruleOf(rule).title, installation: accountId === null },
    ...{ subject, detail, place },
    firing_since: formatInstant(firingSince),
    over_at: formatOptional(overAt),
    silenced_until:
      silencing.length === 0 || overAt !== null
        ? null
        : formatInstant(Math.max(...silencing.map(({ endsAt }) => endsAt))),
    told: told.map(({ channel, name, installation, kind, sentAt, waits, answer }) => ({
      ...{ channel, name, installation, kind, waits, answer },
      sent_at: formatOptional(sentAt),
    })),
  };
}

function showRule(name: RuleName, own: RuleWishes, service: RuleWishes): Rule {
  const { title, means, threshold: bounds, of } = ruleOf(name);
  const isOwn = of !== 'installation';
  const { on, threshold } = inForce(name, ...(isOwn ? [own] : []), service);
  return {
    ...{ name, title, own: isOwn, on, threshold },
    means: means.replace(/\bN\b/, threshold === null ? 'the stated amount' : String(threshold)),
    changed: isOwn && own[name] !== undefined,
    bounds:
      bounds === undefined
        ? null
        : { least: bounds.least, most: bounds.most, whole: bounds.whole, unit: bounds.unit },
  };
}

const showSilence = ({ id, rule, subject, endsAt, reason, madeBy, madeAt }: Kept): Silence => ({
  ...{ id, rule, subject, reason },
  until: formatInstant(endsAt),
  made_by: madeBy,
  made_at: formatInstant(madeAt),
});
