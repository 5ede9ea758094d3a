/** Tests of carriers: an owner sends one message over exactly one carrier, and its code confirms nothing. */
import { askOf } from './asking.ts';
import { boundsOf } from './bounds.ts';
import { must, retryAfter, textOf } from './common.ts';
import { isFull, limit, mayBeFull, settingsOf } from './counting.ts';
import { endingsFull, isMissedCall } from './endings.ts';
import { lookUp, lookUpUnheard } from './lookups.ts';
import { accept, faultsOf } from './sending.ts';
import type { Command, State } from './state.ts';
import { listOf, liveNow, places } from './state.ts';
import { idIn, isDone, reasonsOf } from './table.ts';
import { waysOf } from './ways.ts';

const PAGE = 'portal.md, Tests of a carrier';
const OF_ACCOUNT = '5/1h';
const OF_ALL = '20/1h';
/** Refusals that take a place all the same, and those that take none; of others, such as countries, it is open. */
const COUNTED = ['do_not_send', 'quota-exceeded', 'budget-exhausted'];
const FREE = ['not_e164', 'invalid_number', 'too_short', 'asked-too-often'];

export function testCarrier(s: State, command: Command, group: readonly Command[]): readonly State[] {
  const ask = askOf(command);
  if (ask?.only === undefined || command.command.do !== 'test-carrier') return [s];
  const { answer, at, until } = command;
  const { status, body } = answer;
  const { account, carrier } = command.command;
  const isKnown = waysOf(liveNow(s), ask).length > 0;
  if (status === 404) {
    must(!isKnown, `the carrier ${carrier} was not found (${PAGE})`);
    return [s];
  }
  const said = reasonsOf(answer, 'portal');
  const words = said.flat();
  must(isDone(answer) || said.length > 0, `${status} is no documented refusal of a test (${PAGE})`);
  if (status === 429 || status === 503) retryAfter(command, PAGE);

  const its = listOf(s.carrierTests, account);
  const bounds = [
    limit(OF_ACCOUNT, its, command),
    limit(OF_ALL, [...s.carrierTests.values()].flat(), command),
  ];
  const key = {
    ...{ name: ask.key, account, test: false, customCodes: false },
    ...{ channels: [], countries: [] },
  };
  const all = settingsOf(s, account, command);
  const faults = faultsOf(s, ask, [key], all, command);
  const fault = faults.find((it) => it.sure)?.codes.join(' or ');
  const ofAny = boundsOf(s, ask, key, all, command, group);
  const endings = isMissedCall(ask) ? endingsFull(s, account, command) : { sure: false, may: false };
  const forbidden =
    [
      !isKnown && `a carrier that there is not was tested (${PAGE})`,
      fault !== undefined && `a test was sent that is to be refused with ${fault} (${PAGE})`,
      endings.sure && `a missed call was tested, and no ending is left (flashcall.md, The numbers)`,
      isFull(bounds) && `${account} sent more tests in an hour than it may (${PAGE})`,
    ].find((it) => it !== false) ?? ofAny.forbidden;
  const isBeside = group.some((it) => it.n !== command.n);
  const asker = { account, key: ask.key, to: ask.to, test: false, channel: ask.channel, only: ask.only };
  const looked = (became: Parameters<typeof lookUp>[4]) => lookUp(s, asker, all, command, became, isBeside);
  if (isDone(answer)) {
    must(forbidden === undefined, forbidden ?? '');
    looked('sent');
    const id = idIn(body, 'portal');
    must(id !== undefined && !s.verifications.some((it) => it.id === id), `a test without its id (${PAGE})`);
    const isIts = textOf(body, 'carrier') === carrier && textOf(body, 'channel') === ask.channel;
    must(isIts, `the answer names another carrier or channel (${PAGE})`);
    its.push({ at, until, sure: true });
    accept(s, ask, key, all, command, id);
    return [s];
  }
  const isOfRange = [...s.blocked.keys()].some((it) => isRangeOf(it, account, ask.to));
  const isCounted = words.every((it) => COUNTED.includes(it)) && !isOfRange;
  if (!words.some((it) => FREE.includes(it))) its.push({ at, until, sure: !mayBeFull(bounds) && isCounted });
  if (status === 503) {
    lookUpUnheard(s, asker, all, command, isBeside);
    if (!words.includes('outcome-unknown')) return [s];
    const done = forbidden === undefined ? structuredClone(s) : undefined; // else it would have been refused
    listOf(s.sends, places({ ...key, to: ask.to })).push({ at, until, sure: false });
    if (done === undefined) return [s];
    accept(done, ask, key, all, command);
    // what nobody sends stays reserved for a while (budgets.md, What is reserved)
    for (const v of done.verifications.slice(-1)) v.crashes += 1;
    return [s, done];
  }
  const refused = words.includes('guarded') ? looked('guarded') : undefined;
  if (refused === undefined) looked('other');
  const may = [
    ...faults.flatMap((it) => it.codes),
    // checks come in this order: 400, 429 (api.md)
    ...(fault === undefined ? ofAny.may : []),
    ...((ofAny.guarded !== 'no' || refused !== undefined) && !faults.some((it) => it.sure && !it.late)
      ? ['guarded']
      : []),
    ...(mayBeFull(bounds) ? ['asked-too-often'] : []),
    ...(endings.may ? ['daily-cap-reached'] : []),
  ];
  const wrong = said.find((it) => !it.some((word) => may.includes(word)))?.join(' or ');
  must(wrong === undefined, `a test was refused with ${wrong}, without a reason (${PAGE})`);
  return [s];
}

/** Whether an entry of the do-not-send list is a range that the number is in: a test refused for that takes no place. */
function isRangeOf(entry: string, account: string, to: string): boolean {
  const [of, listed = ''] = entry.split(' ');
  return of === account && listed !== to && to.startsWith(listed);
}
