/** Prints what Node's spec reporter prints, but for the counts at its end: `test/run.ts` is sent them, and adds up those of its processes. */
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';

export interface Report {
  readonly counts: Readonly<Record<string, number>>;
  /** The file and the name of each test that failed. */
  readonly failed: readonly string[];
}

/** What Node counts, in its order and words. */
export const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms'];
const COUNT = new RegExp(`^(${COUNTS.join('|')}) ([\\d.]+)$`);

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts: Record<string, number> = {};
  const failed: string[] = [];
  async function* withoutCounts() {
    for await (const event of source) {
      if (event.type === 'test:diagnostic' && event.data.nesting === 0) {
        const [, name, count] = COUNT.exec(event.data.message) ?? [];
        if (name !== undefined) {
          counts[name] = Number(count);
          continue;
        }
      }
      if (event.type === 'test:fail' && !isOfItsParts(event.data.details.error)) {
        const { file, name } = event.data;
        failed.push(file === undefined ? name : `${relative('.', file)}: ${name}`);
      }
      yield event;
    }
  }
  yield* Readable.from(withoutCounts()).compose(new spec());
  const all: Report = { counts, failed };
  await new Promise((resolve) => process.send?.(all, resolve));
  // A package that listens for its end would keep it open, and so this process.
  process.channel?.unref();
}

/** A suite that fails only because a test in it did. */
const isOfItsParts = (error: Error) => 'failureType' in error && error.failureType === 'subtestsFailed';
