import { held, mayRead, spent } from './codes.ts';
import { authenticated, isLost, isOver, must, retryAfter, textOf } from './common.ts';
import { isFull, limitsOfKey, mayBeFull, namesLimit, spend } from './counting.ts';
import { guessesOf } from './endings.ts';
import type { Command, Span, State, Verification } from './state.ts';
import { fieldOf, MAGIC, masked, reasonsOf, SETTLE } from './table.ts';
import { atEnd } from './ways.ts';

const PAGE = 'api.md, GET /verifications/{id}';

export function look(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const key = ask.do === 'look' && authenticated(s, ask.key, command, PAGE);
  if (ask.do !== 'look' || !key) return [s];
  const { status: http, body } = command.answer;
  const [word = ''] = reasonsOf(command.answer, 'rest').flat();
  const limits = limitsOfKey(s, key.name, command);
  if (http === 503 || http === 429) retryAfter(command, PAGE);
  // each look counts (api.md); whether one that is refused does is open
  if (word !== 'unavailable' && word !== 'overloaded') spend(s, key.name, command, http === 200);
  if (http === 503 && word !== '') return [s];
  const here = held(s, key, ask.id, command);
  if (word === 'rate-limited') {
    must(mayBeFull(limits), '429 though the key has requests left (api.md, Limits)');
    namesLimit(command, [limits], PAGE);
    return [s];
  }
  if (http !== 200) {
    must(word === 'verification-not-found', `${http} ${word} to a look (${PAGE})`);
    const may = here === undefined || here.gone === 'may';
    must(may, `a verification of its account and kind was not found (${PAGE})`);
    return [s];
  }
  must(!isFull(limits), `${key.name} got more looks than its limit of requests allows (api.md, Limits)`);
  must(here !== undefined, `a key saw what is of another account or kind, erased, or past (${PAGE})`);
  const { v } = here;
  const same = v.id === undefined || textOf(body, 'id') === v.id;
  must(same && textOf(body, 'channel') === v.channel, `the answer has another id or channel (${PAGE})`);
  const to = textOf(body, 'destination');
  must(to === (mayRead(key, v) ? v.to : masked(v.to)), `${key.name} was shown ${to} (keys.md, Full numbers)`);
  const left = v.only === undefined ? Math.max(0, guessesOf(s, v) - spent(v)) : 0;
  const said = fieldOf(body, 'guesses_left');
  must(said === left, `guesses_left is ${String(said)} instead of ${left} (${PAGE})`);
  // what becomes of a test is shown in the portal (portal.md, Tests of a carrier)
  if (v.only !== undefined) return [s];
  const status = textOf(body, 'status') ?? '';
  const may = statusesOf(s, v, command);
  must(may.includes(status), `the status is ${status} instead of ${may.join(' or ')} (${PAGE})`);
  judgeAttempts(s, v, command, fieldOf(body, 'attempts'));
  const expires = Date.parse(textOf(body, 'expires_at') ?? '') - s.fixed.code.validFor;
  const untouched = v.ended === undefined && v.confirmed === undefined;
  const fits = !untouched || (expires >= v.asked.at && expires <= v.asked.until);
  must(fits, `expires_at is ${textOf(body, 'expires_at')} (${PAGE}; configuration.md, code.validFor)`);
  return [s];
}

/** The first that applies: confirmed; undelivered or failed; expired; what the best attempt came to. */
function statusesOf(s: State, v: Verification, now: Span): readonly string[] {
  if (v.confirmed !== undefined) return ['confirmed'];
  const over = isOver(s, v, now);
  // Whose message is whose may not be known yet.
  const isOpen = v.twin || (v.code === undefined && s.loose.some((it) => it.to === v.to));
  if (isOpen) return ['queued', 'submitted', 'delivered', 'undelivered', 'failed', 'expired'];
  if (v.test || v.attempts.some((it) => it.carrier === 'simulator')) return simulated(s, v, now, over);
  const did = (...what: string[]) => v.attempts.some((it) => what.includes(it.did));
  const report = (what: string) => v.attempts.some((it) => it.report?.status === what);
  const recent = now.at - SETTLE;
  const lately = v.attempts.some(
    (it) => it.answered > recent || (it.report?.at ?? 0) > recent || !it.written,
  );
  const nothingIsLeft = !lately && !did('hung', 'answer lost') && atEnd(s, v, 'spent') === 'yes';
  const taken = v.attempts.filter((it) => it.did === 'accepted');
  if (nothingIsLeft && taken.length > 0 && taken.every((it) => it.report?.status === 'undelivered'))
    return ['undelivered'];
  const arrived = report('delivered');
  const end = taken.length > 0 ? 'no' : atEnd(s, v, 'refused');
  const may = new Set<string>();
  const add = (status: string, holds: boolean) => holds && may.add(status);
  // What a carrier did that hung or whose answer was lost is unclear: no document says how it is shown.
  add('expired', over !== 'no' && (taken.length > 0 || did('hung', 'answer lost') || v.ended !== undefined));
  const mayBeLost = taken.some((it) => isLost(s, v, it));
  add('failed', end !== 'no' || (over !== 'no' && (taken.length === 0 || mayBeLost)));
  add('undelivered', report('undelivered') && (!arrived || lately));
  if (over === 'yes' && !lately) return [...may];
  add('queued', (taken.length === 0 && end !== 'yes') || lately || (report('undelivered') && !arrived));
  add('submitted', (taken.length > 0 && !arrived) || lately || report('undelivered'));
  add('delivered', arrived);
  return [...may];
}

/** Each attempt has its channel; those that carriers took are shown with what was reported of them. */
function judgeAttempts(s: State, v: Verification, now: Span, shown: unknown): void {
  must(Array.isArray(shown), `no attempts are shown (${PAGE})`);
  const recent = now.at - SETTLE;
  const isOpen = v.twin || v.code === undefined || s.loose.some((it) => it.to === v.to);
  if (
    isOpen ||
    v.test ||
    v.attempts.some(
      (it) => !it.written || isLost(s, v, it) || Math.max(it.answered, it.report?.at ?? 0) > recent,
    )
  )
    return;
  const taken = v.attempts.filter((it) => it.did === 'accepted');
  const is = shown.map((it: unknown) => `${textOf(it, 'channel')} ${textOf(it, 'state')}`);
  const due = taken.map((it) => `${it.channel} ${it.report?.status ?? 'submitted'}`);
  const seen = is.filter((it) => !it.endsWith('failed'));
  must(
    seen.toSorted().join() === due.toSorted().join(),
    `attempts are ${is.join()}, not ${due.join()} (${PAGE})`,
  );
  const strange = is.find((it) => !v.attempts.some((one) => it.startsWith(one.channel)));
  must(strange === undefined, `an attempt is ${strange}, where nobody was asked (${PAGE})`);
}

/** Of test keys only the outcome is documented: that of the number, in a moment (api.md, Test keys). */
function simulated(s: State, v: Verification, now: Span, over: 'no' | 'may' | 'yes'): readonly string[] {
  const early = now.at <= v.asked.until + SETTLE;
  const outcome = v.to === MAGIC[1] ? 'undelivered' : v.to === MAGIC[2] ? 'failed' : 'delivered';
  const may = new Set(early ? ['queued', 'submitted', outcome] : [outcome]);
  // what it reports a moment later is lost with its process, and on a full disk
  if (v.crashes > 0 || s.roomSince > v.asked.at)
    for (const each of ['submitted', 'queued', 'failed', 'expired']) may.add(each);
  if (over === 'yes' && !early) may.delete('delivered');
  if (over !== 'no' && (outcome === 'delivered' || v.ended !== undefined)) may.add('expired');
  if (v.ended !== undefined) may.add('failed'); // it was ended before it was sent
  return [...may];
}
