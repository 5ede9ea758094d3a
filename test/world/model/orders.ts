import type { Happening } from '../happening.ts';
import type { Model } from './model.ts';
import type { Command } from './state.ts';

const AT_ONCE = 5;
/** Of so many of the last groups another order is tried, if what follows contradicts the first one that was allowed. */
const TAKEN_BACK = 2;

/** What happened in one moment, or around commands at once, and when processes ended. */
export interface Moment {
  readonly news: readonly Happening[];
  readonly crashes: readonly number[];
}
interface Group {
  /** Explanations that were not tried. */
  readonly others: Iterable<Model>;
  readonly after: Moment[];
}

/** Explains what happens, moment by moment. */
export class Explanation {
  model: Model;
  #groups: Group[] = [];

  constructor(model: Model) {
    this.model = model;
  }

  /** Takes in what happened next: undefined if the documents allow it, or else what is wrong. */
  take(moment: Moment): string | undefined {
    for (const { after } of this.#groups) after.push(moment);
    const others = explanations(this.model, moment);
    const first = others.next();
    if (!first.done) {
      this.model = first.value;
      if (commandsOf(moment).length > 1)
        this.#groups = [...this.#groups, { others, after: [] }].slice(-TAKEN_BACK);
      return undefined;
    }
    for (let group = this.#groups.pop(); group !== undefined; group = this.#groups.pop()) {
      const others = explainedTogether(group);
      const another = others.next();
      if (another.done) continue;
      this.model = another.value;
      // what comes may contradict this one, too
      this.#groups.push({ others, after: [] });
      return undefined;
    }
    return first.value;
  }
}

/** What explains a group in one of the other ways, and all that came after it. */
function* explainedTogether({ others, after }: Group): Generator<Model, undefined> {
  for (const other of others) yield* explainedAll(other, after);
}

function* explainedAll(model: Model, [next, ...later]: readonly Moment[]): Generator<Model, undefined> {
  if (next === undefined) yield model;
  else for (const each of explanations(model, next)) yield* explainedAll(each, later);
}

const commandsOf = ({ news }: Moment): readonly Command[] => news.filter((it) => it.kind === 'command');

/**
 * What explains commands that ran at once: orders in which every answer is allowed, and in which what had ended before
 * another began is before it. What carriers and endpoints got meanwhile has no order of its own: it is taken in first. Returns what is
 * wrong if there is none.
 */
function* explanations(model: Model, moment: Moment): Generator<Model, string> {
  const commands = commandsOf(moment);
  if (commands.length > AT_ONCE) throw new RangeError(`at most ${AT_ONCE} commands at once can be explained`);
  // What these commands had sent is among the news, and not yet taken in.
  let why = commands.length === 0 ? undefined : model.begin(commands, new Set());
  const crashes = [...moment.crashes];
  for (const it of moment.news) {
    if (it.kind === 'command') continue;
    // what was done before a process ended may not be written down
    while ((crashes[0] ?? it.at) < it.at) model.crashed(crashes.shift() ?? it.at);
    why ??= model.judge(it);
  }
  for (const at of crashes) model.crashed(at);
  if (why !== undefined) return why;
  return [...new Set(yield* orders(model, commands, commands))].join('; or ');
}

/** Depth first: each command that may come next, on a copy unless it is the last. */
function* orders(
  model: Model,
  rest: readonly Command[],
  group: readonly Command[],
): Generator<Model, readonly string[]> {
  if (rest.length === 0) yield model;
  const reasons: string[] = [];
  for (const it of rest) {
    if (rest.some((other) => other.until < it.at)) continue; // it began when another had ended
    const next = rest.length === 1 ? model : model.copy();
    const wrong = next.judge(it, group);
    const others = rest.filter((other) => other !== it);
    if (wrong === undefined) reasons.push(...(yield* orders(next, others, group)));
    else reasons.push(`command ${it.n}: ${wrong}`);
  }
  return reasons;
}
