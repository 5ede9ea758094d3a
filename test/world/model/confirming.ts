import { mayBeInProgress } from './asking.ts';
import { approve, destinationFull, guessesLeft, held, isRight, wrongGuess } from './codes.ts';
import { authenticated, isOver, isPast, must, over, retryAfter, textOf } from './common.ts';
import { guessesOf } from './endings.ts';
import { type Command, listOf, places, type State, type Verification } from './state.ts';
import { codeRead, fieldOf, ONCE, reasonsOf } from './table.ts';

const PAGE = 'api.md, POST /confirm';
/** What a repetition has to say again: the time of the success, or how many guesses were left. */
const judgement = ({ answer: { status, body } }: Command) =>
  `${status} ${String(fieldOf(body, status === 200 ? 'confirmed_at' : 'attempts_remaining'))}`;

export function confirm(s: State, command: Command, group: readonly Command[]): readonly State[] {
  const ask = command.command;
  const key = ask.do === 'confirm' && authenticated(s, ask.key, command, PAGE);
  if (ask.do !== 'confirm' || !key) return [s];
  const { answer, at, until } = command;
  const [word = ''] = reasonsOf(answer, 'rest').flat();
  must(answer.status === 200 || word !== '', `${answer.status} is no documented answer (${PAGE})`);
  if (answer.status === 503) retryAfter(command, PAGE);
  if (answer.status === 503 && word !== 'outcome-unknown') return [s];
  const place = `confirm ${key.account} ${key.test} ${ask.once}`;
  const here = held(s, key, ask.id, command);
  const body = codeRead(ask.code);
  const remember = (of: State, v: Verification, said: string) =>
    ask.once !== undefined && of.once.set(place, { at, until, body, verification: v, answer: said });
  if (word === 'idempotency-in-progress') {
    const same = (it: Command) => it.command.do === 'confirm' && it.command.once === ask.once;
    const may = ask.once !== undefined && mayBeInProgress(s, command, group, place, same);
    must(may, `409 though no such request is under way (${PAGE})`);
    return [s];
  }
  const first = ask.once === undefined ? undefined : s.once.get(place);
  const time = first === undefined ? 'yes' : over(first, ONCE, command);
  // retention may end before the 24 hours of a repetition: what is said then is open
  const isKept = first === undefined || isPast(s, first.verification, command) === 'no';
  const age = isKept || time === 'yes' ? time : 'may';
  // an erasure deletes idempotency keys, too (personal-data.md)
  if (first !== undefined && age !== 'yes' && first.verification.erased === undefined) {
    const same = first.body === body && first.verification === s.made.get(ask.id);
    const said = judgement(command);
    if (answer.status === 503 || (!same && word === 'idempotency-key-reused')) return [s];
    if (same && (said === first.answer || `${answer.status} *` === first.answer)) {
      s.once.set(place, { ...first, answer: said });
      return [s];
    }
    must(age === 'may', `a repetition was not given the first answer, or another guess not 422 (${PAGE})`);
  }
  if (answer.status === 503) {
    // What it said is heard by a repetition, so `*`.
    if (ask.once !== undefined) s.hanging.set(place, command.until);
    return unheard(s, here?.v, ask.code, command, (of, v, right) =>
      remember(of, v, right ? '200 *' : '403 *'),
    );
  }
  if (word === 'verification-not-found') {
    const may = here === undefined || here.gone === 'may';
    must(may, `a verification that ${ask.key} may confirm was not found (${PAGE})`);
    return [s];
  }
  must(here !== undefined, `${answer.status} for an id of another account, another kind, or none (${PAGE})`);
  if (here.v.only !== undefined) {
    const isRefused = word === 'attempts-exhausted' || word === 'verification-expired';
    must(isRefused, `${answer.status} ${word} for the code of a test (portal.md, Tests of a carrier)`);
    return [s];
  }
  judge(s, here.v, ask.code, command, word);
  if (answer.status === 200 || word === 'code-mismatch') remember(s, here.v, judgement(command));
  return [s];
}

/** Nobody heard what became of a guess: everything was done, or nothing. */
export function unheard(
  s: State,
  v: Verification | undefined,
  guess: string,
  command: Command,
  remember: (of: State, v: Verification, right: boolean) => void = () => {},
): readonly State[] {
  if (v === undefined || v.only !== undefined || v.confirmed || isOver(s, v, command) === 'yes') return [s];
  if (v.wrong >= guessesOf(s, v) || destinationFull(s, v, command).sure) return [s];
  const is = isRight(s, v, guess);
  const cases = [is !== 'no' && ('right' as const), is !== 'yes' && ('wrong' as const)];
  const states = cases
    .filter((it) => it !== false)
    .map((judged) => {
      const it = structuredClone({ s, v });
      if (judged === 'right') approve(it.s, it.v, command, true, guess);
      else wrongGuess(it.s, it.v, guess, command);
      remember(it.s, it.v, judged === 'right');
      return it.s;
    });
  const { at, until } = command;
  listOf(s.guesses, places(v)).push({ at, until, sure: false }); // postgresql.md: it may count all the same
  return [s, ...states];
}

/** One guess at one verification, and what it changes. */
function judge(s: State, v: Verification, guess: string, command: Command, word: string): void {
  const { status, body } = command.answer;
  const conflict = word === 'already-confirmed';
  must(v.confirmed === undefined || conflict, `${status} ${word} instead of 409 (${PAGE})`);
  must(v.confirmed !== undefined || !conflict, `409 for what nobody confirmed (${PAGE})`);
  if (conflict) return;
  const over = isOver(s, v, command);
  const full = destinationFull(s, v, command);
  const out = v.wrong >= guessesOf(s, v);
  // of one that is over and used up, too, which is said first is open
  if (word === 'verification-expired') {
    must(over !== 'no', `a code was refused as expired that is still valid (${PAGE})`);
    if (v.ended !== undefined) v.ended = { ...v.ended, sure: true };
    return;
  }
  if (word === 'attempts-exhausted') {
    must(out || full.may, 'a guess was refused though guesses are left (api.md, Limits)');
    return;
  }
  must(over !== 'yes', `a code was judged that is expired or was ended (${PAGE}; twilio.md, What differs)`);
  must(!out && !full.sure, `a guess was judged though none is left (${PAGE}; api.md, Limits)`);
  const right = isRight(s, v, guess);
  if (status === 200) {
    must(right !== 'no', `a wrong code was confirmed (${PAGE})`);
    const number = textOf(body, 'destination') === v.to && textOf(body, 'channel') === v.channel;
    const same = number && textOf(body, 'id') === v.id;
    must(same, `200 names another id, number or channel (${PAGE})`);
    must(!Number.isNaN(Date.parse(textOf(body, 'confirmed_at') ?? '')), `200 without confirmed_at (${PAGE})`);
    approve(s, v, command, true, guess);
    return;
  }
  must(word === 'code-mismatch', `${status} ${word} to a guess (${PAGE})`);
  must(right !== 'yes', `the right code was refused (${PAGE})`);
  wrongGuess(s, v, guess, command);
  const { least, most } = guessesLeft(s, v, command);
  const said = Number(fieldOf(body, 'attempts_remaining') ?? Number.NaN);
  const is = said >= least && said <= most;
  must(is, `attempts_remaining is ${said} instead of ${least} to ${most} (api.md, code-mismatch)`);
}
