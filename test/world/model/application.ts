/** What the client's handlers make of the service's answers for a page (client/README.md, Handlers for your backend). */
import { must, over, textOf } from './common.ts';
import { confirm } from './confirming.ts';
import { sendCode } from './sending.ts';
import type { Command, Judged } from './state.ts';
import { fieldOf, MINUTE, SECOND } from './table.ts';

const PAGE = 'client/README.md';
/** The cookie's end is a whole second. */
const COOKIE = 10 * MINUTE;

type Page = NonNullable<Command['answer']['page']>;
const UNAVAILABLE: Page = { status: 503, body: { ok: false, reason: 'unavailable' } };
const EXPIRED: Page = { status: 410, body: { ok: false, reason: 'expired' } };

const isPage = ({ answer: { page } }: Command, wanted: Page): void =>
  must(
    JSON.stringify(page) === JSON.stringify(wanted),
    `the page got ${JSON.stringify(page)} instead of ${JSON.stringify(wanted)} (${PAGE})`,
  );
const refused = (status: number, reason: string, more: object = {}): Page => ({
  status,
  body: { ok: false, reason, ...more },
});

/** All tries of a call send one message at most. */
export const appStart: Judged = (s, command, group) => {
  const { command: ask, answer, at, until, n } = command;
  if (ask.do !== 'app-start') return [s];
  const states = sendCode(s, command, group);
  isPage(command, startPage(answer, ask.channel));
  if (answer.status === 200)
    for (const { browsers } of states) browsers.set(ask.browser, { at, until, made: n });
  return states;
};
function startPage({ status, body, headers }: Command['answer'], channel: string): Page {
  if (status === 200) return { status, body: { ok: true, channel, resendAfter: 30 } };
  if (status === 429) return refused(429, 'limited', { retryAfter: Number(headers['retry-after']) });
  const errors = fieldOf(body, 'errors');
  const faults: readonly unknown[] = status === 400 && Array.isArray(errors) ? errors : [];
  const fault = faults.find((it) => ['destination', 'channel'].includes(textOf(it, 'field') ?? ''));
  return fault === undefined ? UNAVAILABLE : refused(400, 'invalid', { code: textOf(fault, 'code') });
}

/** Only what this browser asked for last is confirmed; all tries of a call spend one guess at most. */
export const appCheck: Judged = (s, command, group) => {
  const { command: ask, answer } = command;
  if (ask.do !== 'app-check') return [s];
  const own = s.browsers.get(ask.browser);
  const gone = own === undefined ? 'yes' : over(own, COOKIE - SECOND, command);
  if (answer.status === 0) {
    must(gone !== 'no', `what this browser asked for was not checked (${PAGE})`);
    isPage(command, EXPIRED);
    return [s];
  }
  must(
    own !== undefined && over(own, COOKIE + SECOND, command) !== 'yes',
    `a check of nobody’s code (${PAGE})`,
  );
  const { key, code } = ask;
  const states = confirm(
    s,
    { ...command, command: { do: 'confirm', key, id: own.made, code, once: `page ${command.n}` } },
    group,
  );
  isPage(command, checkPage(answer));
  if (answer.status === 200) for (const { browsers } of states) browsers.delete(ask.browser);
  return states;
};
function checkPage({ status, body }: Command['answer']): Page {
  if (status === 200) return { status, body: { ok: true } };
  const type = textOf(body, 'type')?.split('/').at(-1);
  if (status === 404 || type === 'already-confirmed') return EXPIRED;
  if (status !== 403) return UNAVAILABLE;
  const attemptsRemaining = fieldOf(body, 'attempts_remaining');
  return type === 'code-mismatch'
    ? refused(403, 'mismatch', { attemptsRemaining })
    : refused(403, 'exhausted');
}
