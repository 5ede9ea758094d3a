/**
 * A history as text, so that a failure can be read, cut down and kept. The first line says what the world is like; each further line
 * is what happens in one moment:
 *
 *     world seed=7 fixed={...} live={...}
 *     verify key=a-live to=+447911123456 channel=sms
 *     confirm key=a-live id=0 code="000000" & confirm key=a-live id=0 code="482913"
 *
 * A command is for node 0 if it names no other. Values are bare words, or else JSON. A verification is called by the number of the command that brought it, counted from 0.
 */
import type { Asked } from './command.ts';
import type { FixedOptions, LiveOptions } from './options.ts';

export interface Surroundings {
  readonly seed: number;
  readonly fixed: FixedOptions;
  readonly live: LiveOptions;
  /** The embedded one if absent. */
  readonly store?: 'sqlite' | 'postgres';
  /** How many share the store; one if absent. */
  readonly nodes?: number;
}

/** Commands that are given in one moment. */
export type Group = readonly Asked[];

export interface History {
  readonly world: Surroundings;
  readonly groups: readonly Group[];
}

export function formatHistory({ world, groups }: History): string {
  const lines = groups.map((group) =>
    group.map(({ do: word, ...rest }) => formatLine(word, rest)).join(' & '),
  );
  return [formatLine('world', world), ...lines].join('\n');
}

export function parseHistory(text: string): History {
  const [first = '', ...lines] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const groups = lines.map((line) => line.split(' & ').map((each) => parseLine<Asked>(each, 'do')));
  return { world: parseLine<Surroundings>(first), groups };
}

function formatLine(word: string, values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return [word, ...given.map(([name, value]) => `${name}=${formatValue(value)}`)].join(' ');
}

function formatValue(value: unknown): string {
  const isBare = typeof value === 'string' && /^[^\s"&]+$/.test(value) && readValue(value) === value;
  return isBare ? value : JSON.stringify(value);
}

/** What it holds is believed: histories are written by `formatHistory`. */
function parseLine<T>(line: string, wordAs?: string): T {
  const [word = ''] = line.split(' ', 1);
  const values = Array.from(
    line.matchAll(/ ([a-zA-Z]+)=("(?:[^"\\]|\\.)*"|\S+)/g),
    ([, name = '', value = '']) => [name, readValue(value)],
  );
  return { ...(wordAs !== undefined && { [wordAs]: word }), ...Object.fromEntries(values) };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
