/** Reads the text of a proposal, which comes from a browser: bounded in size, in depth and in the number of its values. */
import { parseConfig } from '../config/file.ts';
import { isGroup, type Path, type RawGroup } from '../config/reader.ts';
import type { ProposalProblem } from './verdict.ts';

const MOST_CHARACTERS = 6_000;
const MOST_VALUES = 400;
const DEEPEST = 20;
/** Before the number of a line. */
const PLACE = 'text';

interface Text {
  /** Undefined if it cannot be read. */
  readonly options: RawGroup | undefined;
  readonly faults: readonly ProposalProblem[];
  /** The line of an option, or of the group that it should be in. */
  readonly lineOf: (path: Path) => number | null;
}

export function readProposal(text: string): Text {
  const faults: ProposalProblem[] = [];
  const lineIn = (place = '') => Number(/^text:(\d+)/.exec(place)?.[1] ?? 0) || null;
  const unreadable = (problem: Omit<ProposalProblem, 'key' | 'option' | 'line'>): Text => ({
    options: undefined,
    faults: [{ key: PLACE, option: null, line: null, ...problem }],
    lineOf: () => null,
  });
  if (text.length > MOST_CHARACTERS) return unreadable(TOO_LONG);
  try {
    const { options, locate } = parseConfig(
      text,
      PLACE,
      ({ key, ...problem }) => void faults.push({ key, ...problem, option: null, line: lineIn(key) }),
      'refused',
    );
    if (faults.length > 0) return { options: undefined, faults, lineOf: () => null };
    if (countValues(options, 0) > MOST_VALUES) return unreadable(TOO_MANY);
    const lineOf = (path: Path): number | null =>
      path.length === 0 ? null : (lineIn(locate(path)) ?? lineOf(path.slice(0, -1)));
    return { options, faults, lineOf };
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return unreadable(TOO_DEEP);
    throw error;
  }
}

const TOO_LONG = {
  wrong: 'is too long',
  expected: `at most ${MOST_CHARACTERS} characters`,
  fix: 'propose less at once, and use `countersign config check` for the whole file',
};
const TOO_MANY = { ...TOO_LONG, wrong: 'has too many values', expected: `at most ${MOST_VALUES}` };
const TOO_DEEP = { ...TOO_LONG, wrong: 'is nested too deeply', expected: `at most ${DEEPEST} levels` };

/** @throws {RangeError} where it is nested too deeply */
function countValues(value: unknown, depth: number): number {
  if (depth > DEEPEST) throw new RangeError('nested too deeply');
  const inner = Array.isArray(value) ? value : isGroup(value) ? Object.values(value) : [];
  return inner.reduce<number>((sum, each) => sum + countValues(each, depth + 1), 1);
}
