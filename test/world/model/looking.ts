import { allRefused } from './budgets.ts';
import { found, mayRead, spent } from './codes.ts';
import { authenticated, isOver, must, retryAfter, textOf } from './common.ts';
import { isFull, limitsOfKey, mayBeFull, namesLimit, spend } from './counting.ts';
import type { Command, Span, State, Verification } from './state.ts';
import { liveNow } from './state.ts';
import { fieldOf, MAGIC, masked, reasonsOf, SETTLE } from './table.ts';

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
  const here = found(s, key, ask.id, command);
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
  const left = Math.max(0, s.fixed.code.guesses - spent(v));
  const said = fieldOf(body, 'guesses_left');
  must(said === left, `guesses_left is ${String(said)} instead of ${left} (${PAGE})`);
  const status = textOf(body, 'status') ?? '';
  const may = statusesOf(s, v, command);
  must(may.includes(status), `the status is ${status} instead of ${may.join(' or ')} (${PAGE})`);
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
  if (v.test || v.attempts.some((it) => it.carrier === 'simulator')) return simulated(v, now, over);
  const did = (...what: string[]) => v.attempts.some((it) => what.includes(it.did));
  const report = (what: string) => v.attempts.some((it) => it.report?.status === what);
  const recent = now.at - SETTLE;
  const lately = v.attempts.some((it) => it.at > recent || (it.report?.at ?? 0) > recent || !it.written);
  const taken = did('accepted');
  // What a message is called whose answer was lost, and so whose report it is, nobody knows.
  const arrived = v.attempts.some((it) => it.did === 'accepted' && it.report?.status === 'delivered');
  const route = liveNow(s).route.map((it) => it.carrier);
  const failed = !taken && (allRefused(v, route) || allRefused(v, v.reserved.keys()));
  const may = new Set<string>();
  const add = (status: string, holds: boolean) => holds && may.add(status);
  // What a carrier did that hung or whose answer was lost is unclear: no document says how it is shown.
  add('expired', over !== 'no' && (taken || did('hung', 'answer lost') || v.ended !== undefined));
  add('failed', failed || (!taken && over !== 'no'));
  add('undelivered', report('undelivered') && v.attempts.at(-1)?.report?.status !== 'delivered');
  if (over === 'yes' && !lately) return [...may];
  add('queued', (!taken && !failed) || lately || (report('undelivered') && !arrived));
  add('submitted', (taken && !arrived) || lately || report('undelivered'));
  add('delivered', report('delivered'));
  return [...may];
}

/** Of test keys only the outcome is documented: that of the number, in a moment (api.md, Test keys). */
function simulated(v: Verification, now: Span, over: 'no' | 'may' | 'yes'): readonly string[] {
  const early = now.at <= v.asked.until + SETTLE;
  const outcome = v.to === MAGIC[1] ? 'undelivered' : v.to === MAGIC[2] ? 'failed' : 'delivered';
  const may = new Set(early ? ['queued', 'submitted', outcome] : [outcome]);
  // what it reports a moment later is lost with its process
  if (v.crashes > 0) for (const each of ['submitted', 'queued', 'failed', 'expired']) may.add(each);
  if (over === 'yes' && !early) may.delete('delivered');
  if (over !== 'no' && (outcome === 'delivered' || v.ended !== undefined)) may.add('expired');
  if (v.ended !== undefined) may.add('failed'); // it was ended before it was sent
  return [...may];
}
