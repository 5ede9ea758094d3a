import type { Happening } from '../command.ts';
import type { Model } from './model.ts';
import type { Command } from './state.ts';

const AT_ONCE = 5;
type Explained = { readonly model: Model } | { readonly why: string };

/**
 * Explains commands that ran at once: an order in which every answer is allowed, and in which what had ended before
 * another began is before it. What carriers and endpoints got meanwhile has no order of its own: it is taken in first.
 */
export function explain(model: Model, group: readonly Happening[]): Explained {
  const commands = group.filter((it) => it.kind === 'command');
  if (commands.length > AT_ONCE) throw new RangeError(`at most ${AT_ONCE} commands at once can be explained`);
  let why = commands.length === 0 ? undefined : model.begin(commands);
  for (const it of group) if (it.kind !== 'command') why ??= model.judge(it);
  return why === undefined ? order(model, commands, commands) : { why };
}

/** Depth first: each command that may come next, on a copy unless it is the last. */
function order(model: Model, rest: readonly Command[], group: readonly Command[]): Explained {
  if (rest.length === 0) return { model };
  const reasons = new Set<string>();
  for (const it of rest) {
    if (rest.some((other) => other.until < it.at)) continue; // it began when another had ended
    const next = rest.length === 1 ? model : model.copy();
    const wrong = next.judge(it, group);
    const others = rest.filter((other) => other !== it);
    const after = wrong === undefined ? order(next, others, group) : { why: `command ${it.n}: ${wrong}` };
    if ('model' in after) return after;
    reasons.add(after.why);
  }
  return { why: [...reasons].join('; or ') };
}
