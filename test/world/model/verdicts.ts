/** What an account says that a verification turned out to be (api.md, POST /verifications/{id}/feedback). */
import type { Verdict } from '../command.ts';
import { held } from './codes.ts';
import { authenticated, byMachines, must, over, retryAfter, textOf } from './common.ts';
import { isFull, limitsOfKey, mayBeFull, namesLimit, spend } from './counting.ts';
import { changes } from './operator.ts';
import type { Command, Key, Span, State, Verification } from './state.ts';
import { DAY, fieldOf, isDone, masked, reasonsOf } from './table.ts';
import { request } from './twilio.ts';

const PAGE = 'api.md, POST /verifications/{id}/feedback';
/** Later nobody is asked any more. */
export const SAID_WITHIN = 7 * DAY;

type Here = { readonly v: Verification; readonly sure: boolean };
/** One of which something may be said: for seven days, and as long as it is kept. */
function sayable(s: State, key: Pick<Key, 'account' | 'test'>, made: number, now: Span): Here | undefined {
  const here = held(s, key, made, now);
  const old = here === undefined ? 'yes' : over(here.v.asked, SAID_WITHIN, now);
  return here === undefined || old === 'yes'
    ? undefined
    : { v: here.v, sure: here.gone === 'no' && old === 'no' };
}
/** Of either kind of key: what people of the account see. */
const seen = <T>(find: (test: boolean) => T | undefined): T | undefined => find(false) ?? find(true);

/** One verdict, which a later one replaces. The same again changes nothing. */
function say(v: Verification, verdict: Verdict | null, { at, until }: Span): void {
  if ((v.said?.verdict ?? null) !== verdict) v.said = verdict === null ? undefined : { verdict, at, until };
}
/** Nobody heard whether it was written. */
function unheard(s: State, here: Here | undefined, verdict: Verdict | null, now: Span): readonly State[] {
  if (here === undefined || (here.v.said?.verdict ?? null) === verdict) return [s];
  const done = structuredClone({ s, v: here.v });
  say(done.v, verdict, now);
  return [s, done.s];
}

/** With a key: a request like others. */
export function feedback(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const key = ask.do === 'feedback' && authenticated(s, ask.key, command, PAGE);
  if (ask.do !== 'feedback' || !key) return [s];
  const { answer } = command;
  const [word = ''] = reasonsOf(answer, 'rest').flat();
  const limits = limitsOfKey(s, key.name, command);
  if (answer.status === 503 || answer.status === 429) retryAfter(command, PAGE);
  // whether one that is refused counts is open
  if (word !== 'unavailable' && word !== 'overloaded') spend(s, key.name, command, isDone(answer));
  const here = sayable(s, key, ask.id, command);
  if (answer.status === 503) return word === 'outcome-unknown' ? unheard(s, here, ask.verdict, command) : [s];
  if (word === 'rate-limited') {
    must(mayBeFull(limits), `429 though the key has requests left (${PAGE})`);
    namesLimit(command, [limits], PAGE);
    return [s];
  }
  if (!isDone(answer)) {
    must(word === 'verification-not-found', `${answer.status} ${word} to a verdict (${PAGE})`);
    must(here?.sure !== true, `a verification of ${key.name} was not found (${PAGE})`);
    return [s];
  }
  must(!isFull(limits), `${key.name} said more than its limit of requests allows (${PAGE})`);
  must(here !== undefined, `${key.name} said what another’s, an erased, a past or an old one was (${PAGE})`);
  const isIts = here.v.id === undefined || textOf(answer.body, 'id') === here.v.id;
  must(isIts && textOf(answer.body, 'verdict') === ask.verdict, `the verdict is not repeated (${PAGE})`);
  say(here.v, ask.verdict, command);
  return [s];
}

const OUTCOMES = { confirmed: 'good', unconfirmed: null } as const;
/** As feedback of a message: `unconfirmed` takes back what was said (twilio.md, Feedback). */
export const verdictOf = (outcome: keyof typeof OUTCOMES = 'confirmed'): Verdict | null => OUTCOMES[outcome];

export function messageFeedback(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'twilio-feedback') return [s];
  const it = request(s, command, ask.key, true);
  if (it === undefined) return [s];
  const page = 'twilio.md, Feedback';
  const here = sayable(s, it.key, ask.id, command);
  const verdict = verdictOf(ask.outcome);
  if (it.is('outcome-unknown')) return unheard(s, here, verdict, command);
  if (!it.done) {
    must(it.is('verification-not-found'), `${it.said} to feedback (${page})`);
    // a test of a carrier may be no message of an app
    must(here?.sure !== true || here.v.only !== undefined, `a message of ${ask.key} was not found (${page})`);
    return [s];
  }
  must(here !== undefined, `feedback on another’s, an erased, a past or an old message (${page})`);
  const [sid, told] = [textOf(command.answer.body, 'message_sid'), textOf(command.answer.body, 'outcome')];
  const isIts = here.v.id === undefined || sid === here.v.id.replace(/^ver_/, 'SM');
  must(isIts && told === (ask.outcome ?? 'confirmed'), `the answer is of ${sid}, ${told} (${page})`);
  say(here.v, verdict, command);
  return [s];
}

const PORTAL = 'guard.md, What you say of a code';
/** In the portal, of what either kind of key asked for; the answer is the page of the verification. */
export function judged(s: State, command: Command, group: readonly Command[]): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'judge') return [s];
  const here = seen((test) => sayable(s, { account: ask.account, test }, ask.id, command));
  const refusal = here === undefined ? 'must' : here.sure ? 'no' : 'may';
  const states = changes(s, command, refusal, PORTAL, (its) => {
    const v = seen((test) => held(its, { account: ask.account, test }, ask.id, command))?.v;
    if (v !== undefined) say(v, ask.verdict, command);
  });
  const { status } = command.answer;
  must(status === 200 || status === 404 || status >= 500, `${status} to a verdict (${PORTAL})`);
  // what others said in the same moment may be shown already
  const isBeside = group.some((it) => it.n !== command.n && SAYS.has(it.command.do));
  if (status === 200 && here !== undefined) judgePage(s, here.v, command, isBeside);
  return states;
}

/** The page of a verification: whose it is, and what was said of it. */
export function opened(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const { status } = command.answer;
  if (ask.do !== 'open' || status >= 500) return [s];
  const here = seen((test) => held(s, { account: ask.account, test }, ask.id, command));
  if (status === 404) {
    must(here?.gone !== 'no', `a verification of ${ask.account} has no page (portal.md, Accounts and roles)`);
    return [s];
  }
  must(status === 200, `the page of a verification was refused with ${status} (portal.md)`);
  must(here !== undefined, `${ask.account} saw what is another’s, erased or past (portal.md)`);
  judgePage(s, here.v, command);
  return [s];
}

const SAYS: ReadonlySet<Command['command']['do']> = new Set(['feedback', 'twilio-feedback', 'judge']);
function judgePage(s: State, v: Verification, { answer: { body } }: Command, isBeside = false): void {
  const shown = fieldOf(body, 'verification');
  const isIts = v.id === undefined || textOf(shown, 'id') === v.id;
  must(isIts && textOf(shown, 'channel') === v.channel, 'the page is of another verification (portal.md)');
  const to = textOf(shown, 'destination');
  must(to === masked(v.to), `the page shows ${to} (portal.md, Accounts and roles)`);
  if (!isBeside) saysOf(s, v, fieldOf(body, 'verdict'), PORTAL);
}

/** What was said, and when; nothing where nobody said anything or it was taken back. */
export function saysOf(s: State, { said, id }: Verification, shown: unknown, page: string): void {
  const verdict = textOf(shown, 'verdict');
  must(verdict === said?.verdict, `of ${id} ${said?.verdict} was said, and ${verdict} is shown (${page})`);
  if (said === undefined) return;
  const at = Date.parse(textOf(shown, 'at') ?? '');
  const then = byMachines(s, said);
  must(at >= then.at && at <= then.until, `what was said of ${id} is shown with another time (${page})`);
}
