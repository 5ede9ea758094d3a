import { approve, destinationFull, guessesLeft, held, isRight, wrongGuess } from './codes.ts';
import { authenticated, isOver, must, retryAfter } from './common.ts';
import { unheard } from './confirming.ts';
import { settingsOf } from './counting.ts';
import { guessesOf } from './endings.ts';
import type { Command, State, Verification } from './state.ts';
import { reasonsOf } from './table.ts';

const PAGE = 'camara.md, Errors';

/** A code of any door is validated here by its id (camara.md, A first code). */
export function validate(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const key = ask.do === 'camara-check' && authenticated(s, ask.key, command, PAGE);
  if (ask.do !== 'camara-check' || !key) return [s];
  const { answer } = command;
  const words = reasonsOf(answer, 'camara').flat();
  must(answer.status === 204 || words.length > 0, `${answer.status} is no documented answer (${PAGE})`);
  if (answer.status === 503) retryAfter(command, PAGE);
  const on = settingsOf(s, key.account, command).map((it) => it.camara);
  if (words.includes('camara-off') && on.includes(false)) return [s];
  must(on.includes(true) || answer.status === 503, `it is off, and answered (${PAGE})`);
  const here = held(s, key, ask.id, command);
  if (answer.status === 503)
    return words.includes('outcome-unknown') ? unheard(s, here?.v, ask.code, command) : [s];
  if (words.includes('verification-not-found')) {
    must(here === undefined || here.gone === 'may', `a verification of ${ask.key} was not found (${PAGE})`);
    return [s];
  }
  must(here !== undefined, `${answer.status} for an id of another account, another kind, or none (${PAGE})`);
  return judge(s, here.v, ask.code, command, words);
}

function judge(
  s: State,
  v: Verification,
  guess: string,
  command: Command,
  words: readonly string[],
): readonly State[] {
  const over = v.confirmed === undefined ? isOver(s, v, command) : 'yes';
  const full = destinationFull(s, v, command);
  const out = v.wrong >= guessesOf(s, v);
  const isTest = v.only !== undefined; // its code confirms nothing (portal.md, Tests of a carrier)
  if (words.includes('verification-expired')) {
    must(over !== 'no' || isTest, `a code was refused as expired that is still valid (${PAGE})`);
    if (v.ended !== undefined && v.confirmed === undefined) v.ended = { ...v.ended, sure: true };
    return [s];
  }
  const isFailed = words.includes('attempts-exhausted');
  // nothing is judged any more; of one that is over and used up, too, which is said first is open
  if (isFailed && (out || full.sure || isTest)) return [s];
  must(over !== 'yes' && !isTest, `a code was judged that is over (${PAGE})`);
  must(!out && !full.sure, `a guess was judged though none is left (camara.md, What a request means here)`);
  const right = isRight(s, v, guess);
  if (command.answer.status === 204) {
    must(right !== 'no', `a wrong code was confirmed (${PAGE})`);
    approve(s, v, command, true, guess);
    return [s];
  }
  must(isFailed || words.includes('code-mismatch'), `${words.join(' or ')} to a guess (${PAGE})`);
  const refused = isFailed && full.may ? [structuredClone(s)] : [];
  if (refused.length > 0 && right === 'yes') return refused;
  must(right !== 'yes', `the right code was refused (${PAGE})`);
  wrongGuess(s, v, guess, command);
  const { least, most } = guessesLeft(s, v, command);
  const isLast = isFailed ? least === 0 : most > 0;
  if (!isLast && refused.length > 0) return refused;
  must(
    isLast,
    `${words.join()} with ${least} to ${most} guesses left (camara.md, What a request means here)`,
  );
  return [s, ...refused];
}
