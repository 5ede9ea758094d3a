/**
 * What is told, in words: one notification for everything that waits for one recipient. Names come from people and carriers, so each becomes one
 * line without control characters before it is put anywhere: a header, a page or a chat.
 */
import { createHash } from 'node:crypto';
import type { NoticeKind } from '../core/alerts/judge.ts';
import { ruleOf } from '../core/alerts/rule.ts';
import type { Facts } from './notices.ts';

export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind | 'test';
  /** Unix ms. */
  readonly at: number;
  readonly facts: Facts;
}

export interface Notification {
  /** The same at every try. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** JSON. `text` is what chats show. */
  readonly body: string;
}

/** Alerts that a notification tells of one by one. */
const MOST_LINES = 20;
const LONGEST_LINE = 300;
const LONGEST_SUBJECT = 150;

const STATES = {
  firing: 'Firing',
  reminder: 'Still firing',
  recovered: 'Over',
  test: 'Test',
} as const satisfies Record<Notice['kind'], string>;

/** `address`: where the portal is, if the configuration says so. At least one notice. */
export function composeNotification(notices: readonly Notice[], address: string | undefined): Notification {
  const parts = notices.map((notice) => partOf(notice, address));
  const shown = parts.slice(0, MOST_LINES);
  const more = parts.length - shown.length;
  const [first] = parts;
  const title =
    first !== undefined && parts.length === 1 ? first.title : `${parts.length} alerts: ${sumUp(notices)}`;
  const rest = more === 0 ? [] : [`And ${more} more: see the page Alerts of the portal.`];
  const id = idOf(notices);
  const subject = cut(oneLine(`[Countersign] ${title}`), LONGEST_SUBJECT);
  return {
    ...{ id, subject },
    text: `${[...shown.map((part) => linesOf(part).join('\n')), ...rest, FOOTER].join('\n\n')}\n`,
    html: htmlOf(shown, rest),
    body: JSON.stringify({
      text: plainChat(
        [...(parts.length === 1 ? [] : [title]), ...shown.flatMap(linesOf), ...rest].join('\n'),
      ),
      event: parts.length === 1 ? `alert.${notices[0]?.kind}` : 'alert.summary',
      at: new Date(Math.max(...notices.map(({ at }) => at))).toISOString(),
      alerts: shown.map(({ fields }) => fields),
      more,
    }),
  };
}

const FOOTER =
  'Who is told, and of what, is set in the portal under Alerts, and in the configuration of the service.';

interface Part {
  readonly title: string;
  readonly detail: string;
  readonly since: string;
  readonly link: string | undefined;
  readonly fields: object;
}

const linesOf = ({ title, detail, since, link }: Part): string[] => [
  ...[title, detail, since],
  ...(link === undefined ? [] : [link]),
];

/** What is told of one alert. */
function partOf({ kind, facts }: Notice, address: string | undefined): Part {
  const { alert, rule, accountId, account, subject, detail, place, since } = facts;
  const name = rule === 'test' ? 'this place is told of alerts' : ruleOf(rule).title;
  const whose = account === null ? '' : ` (${oneLine(account)})`;
  const link =
    address === undefined || accountId === null
      ? undefined
      : `${address}/portal/accounts/${accountId}/${place}`;
  return {
    title: `${STATES[kind]}: ${name}${whose}`,
    detail: cut(oneLine(detail), LONGEST_LINE),
    since: `Since ${new Date(since).toISOString()}.`,
    link,
    fields: {
      ...{ id: alert, rule, state: kind, account_id: accountId, account },
      ...{ subject, detail, since: new Date(since).toISOString(), link: link ?? null },
    },
  };
}

function sumUp(notices: readonly Notice[]): string {
  const counts = Map.groupBy(notices, ({ kind }) => STATES[kind].toLowerCase());
  return [...counts].map(([state, list]) => `${list.length} ${state}`).join(', ');
}

/** Everything that ends a line, turns its direction or cannot be seen becomes a space. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const cut = (text: string, longest: number): string => {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
};

/** Chats read `<!channel>`, `<url|words>` and `@all` as commands, whoever wrote them. */
const plainChat = (text: string): string =>
  text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('@', ' at ').replaceAll('&', '+');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function htmlOf(parts: readonly Part[], rest: readonly string[]): string {
  const blocks = parts.map(({ title, detail, since, link }) => {
    const safe = link === undefined ? undefined : escapeHtml(link);
    const words = [
      ...[detail, since].map(escapeHtml),
      ...(safe === undefined ? [] : [`<a href="${safe}">${safe}</a>`]),
    ];
    return `<h2>${escapeHtml(title)}</h2><p>${words.join('<br>')}</p>`;
  });
  const after = [...rest, FOOTER].map((line) => `<p>${escapeHtml(line)}</p>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><body>${[...blocks, ...after].join('')}</body></html>`;
}

/** The same notices are the same notification, however often it is tried. */
const idOf = (notices: readonly Notice[]): string =>
  `alt_${createHash('sha256')
    .update(notices.map(({ id }) => id).join())
    .digest('hex')
    .slice(0, 32)}`;
