import type { AlertView, Channels } from '#contract/alerts.ts';
import { formatMinute } from '../../format/time.ts';

/** The page of what only the alert itself tells: a link would lead back to it. */
export const HERE = 'alerts';

type Told = AlertView['told'][number];

/** Who was notified, and who still waits. */
export function toldWords(told: readonly Told[]): string {
  if (told.length === 0) return 'Nobody was told.';
  const [sent, others] = [
    told.filter(({ sent_at }) => sent_at !== null),
    told.filter(({ sent_at }) => sent_at === null),
  ];
  const names = [...new Set(sent.map(nameOf))];
  const failed = [...new Set(others.map((each) => `${nameOf(each)} (${each.answer ?? 'on its way'})`))];
  return [
    ...(names.length === 0 ? [] : [`Told to ${names.join(', ')}.`]),
    ...(failed.length === 0 ? [] : [`Not told to ${failed.join(', ')}.`]),
  ].join(' ');
}

const nameOf = ({ channel, name, installation }: Told): string =>
  name ?? (installation ? `the operator’s ${channel === 'email' ? 'mail' : 'webhook'}` : 'the webhook');

export function lastWords(last: NonNullable<Channels['webhook']>['last']): string {
  if (last === null) return 'Nothing was sent to it yet.';
  const { sent_at, tried_at, answer } = last;
  if (sent_at !== null) return `It took a message ${formatMinute(sent_at)}.`;
  return `The last try failed ${formatMinute(tried_at)}: ${answer ?? 'no answer yet'}.`;
}
