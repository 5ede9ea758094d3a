/** What must never be in a log, a row, a metric, a refusal or a webhook message: keys, full numbers and codes. */
import type { Happening } from './happening.ts';
import { SAID } from './machine/providers.ts';

/** Shorter codes and numbers are met by chance in ids, hashes and times. */
const SHORTEST_CODE = 6;
const SHORTEST_NUMBER = 10;
const RUNS = /\d{6,}/g;
const KEYS = /csk_(?:live|test)_\w{36}|whsec_[\w+/=]{40}/g;
/** Beside one of these, digits are part of an id, a hash or a time. */
const JOINS = /[\w.:-]/;

export class Secrets {
  readonly #numbers = new Set<string>();
  readonly #codes = new Set<string>();

  /** What happened tells which numbers and codes there are. */
  learn(happenings: readonly Happening[]): void {
    for (const each of happenings) {
      if (each.kind === 'sent' && each.code.length >= SHORTEST_CODE) this.#codes.add(each.code);
      if (each.kind === 'command' && 'to' in each.command && each.command.to.length > SHORTEST_NUMBER)
        this.#numbers.add(each.command.to.slice(1));
    }
  }

  /** The first that a text has of them, and where. `named` are keys that are shown in this moment, and only now. */
  findIn(where: string, text: string, named = false): string | undefined {
    const around = (at: number) => `${where}: ${text.slice(Math.max(0, at - 150), at + 50)}`;
    for (const { index } of named ? [] : text.matchAll(KEYS)) return `a key is in ${around(index)}`;
    if (text.includes(SAID)) return `what a provider said is in ${around(text.indexOf(SAID))}`;
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      for (const number of run.length < SHORTEST_NUMBER ? [] : this.#numbers)
        if (run.includes(number)) return `the number ${number} is in ${around(index)}`;
      const isAlone = !JOINS.test(text[index - 1] ?? '') && !JOINS.test(text[index + run.length] ?? '');
      if (isAlone && this.#codes.has(run)) return `the code ${run} is in ${around(index)}`;
    }
    return undefined;
  }

  /** In what was answered and told: a code never, a number not to whoever is refused or told by a webhook (webhooks.md). */
  findInHappening(each: Happening): string | undefined {
    if (each.kind === 'told') {
      // whether it is masked is judged by who may have it in full
      const rest = (name: string, value: unknown) => (name === 'destination' ? '' : value);
      return this.findIn('a webhook message', JSON.stringify(each.data, rest));
    }
    if (each.kind !== 'command') return undefined;
    const { command, answer } = each;
    const isShown =
      command.do === 'make-key' || command.do === 'rotate-key' || command.do === 'rotate-webhook';
    if (answer.status >= 400) return this.findIn(`an answer to ${command.do}`, JSON.stringify(answer));
    const text = JSON.stringify(answer).replaceAll(/\+\d+/g, '');
    return this.findIn(`an answer to ${command.do}`, text, isShown);
  }
}
