/**
 * What the nodes of a world ask their database, one question at a time, so that a history is the same each time. A node in a transaction
 * is heard before others. What happens between two statements of transactions that wait for one another is not played here, but
 * in test/store/postgres/interleavings.
 */
import type { Fault } from '../../command.ts';
import type { Draw } from '../random.ts';
import type { Line } from './line.ts';
import { asking, DISK_FULL, type Message, type Question } from './protocol.ts';
import { changes, commits, tellsTime } from './questions.ts';
import type { Saying, Wire } from './wire.ts';

interface Waiting {
  readonly line: Line;
  readonly wire: Wire;
  readonly question: Question | undefined;
}

/** A node in a transaction may need so many turns of the event loop for its next statement. It may also wait for another connection. */
const PATIENT_TURNS = 5;

export class Traffic {
  fault: Fault | undefined;
  /** So many commits pass before it. */
  faultAfter = 0;
  /** Whether no commit that changes something is taken. */
  isFull = false;
  /** Whether something was changed since it was last set to false. */
  hasChanged = true;
  readonly #now: () => number;
  readonly #draw: Draw;
  #waiting: Waiting[] = [];
  #speaker: Wire | undefined;
  #passedOver = 0;
  /** Connections whose transaction has changed something. */
  readonly #changing = new Set<Wire>();

  constructor(now: () => number, draw: Draw) {
    this.#now = now;
    this.#draw = draw;
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
  }

  /** The questions of a node that is gone. */
  drop(line: Line): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.line !== line);
  }

  /** Has the next question answered; whether there is any. */
  async serve(): Promise<boolean> {
    this.#waiting = this.#waiting.filter(({ wire }) => !wire.destroyed);
    if (this.#waiting.length === 0) return false;
    const next = this.#next();
    if (next === undefined) return true;
    const { wire, line, question } = next;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#speaker = wire;
    if (question === undefined) await wire.begin();
    else await this.#ask(line, wire, question);
    return true;
  }

  /** Undefined while a transaction may go on. */
  #next(): Waiting | undefined {
    const isOpen = this.#speaker?.status === 'T' && !this.#speaker.destroyed;
    const own = this.#waiting.find(({ wire }) => wire === this.#speaker);
    if (isOpen && own === undefined && this.#passedOver++ < PATIENT_TURNS) return undefined;
    this.#passedOver = 0;
    return isOpen && own !== undefined ? own : this.#waiting[this.#draw(this.#waiting.length)];
  }

  async #ask(line: Line, wire: Wire, question: Question): Promise<void> {
    const text = wire.textOf(question);
    if (changes(question.name, text)) {
      this.#changing.add(wire);
      this.hasChanged = true;
    }
    const isEnd = wire.status === 'I' ? this.#changing.has(wire) : commits(text) && this.#changing.has(wire);
    const isRefused = isEnd && this.isFull && (await hasWritten(wire));
    const isMet = isEnd && this.faultAfter === 0;
    if (isEnd && !isMet) this.faultAfter -= 1;
    const fault = (isMet ? this.fault : undefined) ?? (isRefused ? 'not committed' : undefined);
    if (isMet) this.fault = undefined;
    const time = tellsTime(text) ? `SET world.now = ${this.#now()}` : undefined;
    if (fault !== 'crash before') await wire.ask(sayingOf(question, fault), time);
    if (wire.status === 'I') this.#changing.delete(wire);
    if (fault === 'committed unheard')
      wire.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    if (fault === 'crash before' || fault === 'crash after') line.crash();
  }
}

/** A statement that changes rows may find none, and then its transaction takes no room. One that commits by itself is not known yet. */
async function hasWritten(wire: Wire): Promise<boolean> {
  if (wire.status !== 'T') return true;
  let isWritten = true;
  await wire.ask({
    says: [asking('SELECT pg_current_xact_id_if_assigned() IS NULL')],
    hears: ({ type, bytes }) => {
      // The last byte of the row is the answer.
      if (type === 'D') isWritten = bytes.at(-1) !== TRUE;
      return [];
    },
  });
  return isWritten;
}
const TRUE = 't'.charCodeAt(0);

function sayingOf({ messages }: Question, fault: Fault | undefined): Saying {
  switch (fault) {
    case 'committed unheard':
    case 'crash after':
      return { says: messages, hears: () => [] };
    case 'not committed':
      return { says: undone(messages), hears: refused };
    default:
      return { says: messages, hears: (message) => [message] };
  }
}

/** In place of a commit. A statement that commits by itself is only prepared, if it has to be. */
const undone = (messages: readonly Message[]): readonly Message[] =>
  messages[0]?.type === 'Q'
    ? [asking('ROLLBACK')]
    : messages.filter(({ type }) => type === 'P' || type === 'S');

/** That it was prepared is heard, and then what was wrong. */
function refused(message: Message): readonly Message[] {
  if (message.type === 'Z') return [DISK_FULL, message];
  return message.type === '1' ? [message] : [];
}
