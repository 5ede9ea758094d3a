/** Gives the same commands to the service over each of its stores, and compares what it answers. */
import { isDeepStrictEqual } from 'node:util';
import type { Command } from './command.ts';
import type { Answer } from './happening.ts';
import type { History } from './history.ts';
import { Simulation } from './simulation.ts';

/** What a store meets by itself, at another moment than the other one. */
const LEFT_OUT: ReadonlySet<Command['do']> = new Set(['fault', 'crash', 'pause', 'clock']);
/** The next try comes after a time that is drawn, so at one moment one store may have made it, and the other not yet. */
const isTriedAgain = (it: Command) =>
  it.do === 'carrier' && it.conduct !== 'accepted' && it.conduct !== 'refused';
/** Until all is done that a command asked for, with either store, and it is the same time for both. */
const rest = ({ now }: Simulation): Command => ({ do: 'wait', ms: 2_000 - (now % 1_000) });

/** The first command that is answered differently, with both answers; undefined if there is none. */
export async function findDifference({ world, groups }: History): Promise<string | undefined> {
  await using one = await Simulation.start({ ...world, store: 'sqlite', nodes: 1 });
  await using other = await Simulation.start({ ...world, store: 'postgres', nodes: 1 });
  for (const command of groups.flat()) {
    // Verifications are called by the number of their command, so what is left out is played as a wait of no time.
    const said: Command =
      LEFT_OUT.has(command.do) || isTriedAgain(command) ? { do: 'wait', ms: 0 } : renumbered(command);
    await one.do(said);
    await other.do(inWordsOf(other, one, said));
    const [first, second] = [answerOf(one), answerOf(other)];
    if (!isDeepStrictEqual(first, second)) return JSON.stringify({ command, first, second }, null, 2);
    await one.do(rest(one));
    await other.do(rest(other));
  }
  return undefined;
}

/** After each command there is a rest, which is one itself. */
function renumbered(command: Command): Command {
  if ('id' in command) return { ...command, id: 2 * command.id };
  return 'of' in command && typeof command.of === 'number' ? { ...command, of: 2 * command.of } : command;
}

/** Codes are drawn, so each world has its own: that of the same message. */
function inWordsOf(world: Simulation, original: Simulation, command: Command): Command {
  if (!('code' in command) || !('id' in command || 'of' in command)) return command;
  const n = codesOf(original).lastIndexOf(command.code);
  return { ...command, code: codesOf(world)[n] ?? command.code };
}

const codesOf = ({ happenings }: Simulation) =>
  happenings.filter((each) => each.kind === 'sent').map(({ code }) => code);

/** What came of the last command, with its ids by the number of the command that brought them. */
function answerOf({ happenings }: Simulation): unknown {
  const commands = happenings.filter((each) => each.kind === 'command');
  const ids = [...new Set(commands.flatMap(({ answer }) => idsIn(answer)))];
  const answer = commands.at(-1)?.answer;
  const text = JSON.stringify([answer?.status, answer?.body, answer?.headers['retry-after']]);
  return JSON.parse(
    text
      .replaceAll(ATTEMPT, 'attempt $1')
      .replaceAll(ID, (id) => `id ${ids.indexOf(id.slice(-32))}`)
      .replaceAll(TIME, 'some time')
      .replaceAll(INSTANCE, 'an instance')
      .replaceAll(DRAWN, 'something drawn'),
  );
}

const ID = /(?:ver_|VE)[0-9a-f]{32}/g;
/** It has most of the verification's id, and its number. */
const ATTEMPT = /VL[0-9a-f]{30}([0-9a-f]{2})/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const DRAWN =
  /\b(?:csk_live|csk_test|key|per|acc|idn|inv|ses|msg|aud|blk|whk)_\w+|whsec_[\w+/=]+|\b[0-9a-f]{64}\b/g;
const INSTANCE = /urn:uuid:[0-9a-f-]+/g;
const idsIn = ({ body }: Answer): string[] =>
  (JSON.stringify(body)?.match(ID) ?? []).map((id) => id.slice(-32));
