/** The sets that all tests are divided into, by the folders that they are in. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FILES = ['{src,test,bench}/**/*.test.ts', 'portal/{src,vite}/**/*.test.ts'];

export type SetName = 'browser' | 'store' | 'service' | 'unit';

/** Beside their source, but they start a process, as whoever makes a certificate does, or look at how late their own is. */
const WITH_PROCESSES = [
  'portal/src/format/snippets.test.ts',
  'src/carriers/asterisk/speech.test.ts',
  'src/config/secret.test.ts',
  'src/http/connection/',
  'src/http/reference/samples/languages.test.ts',
  'src/runtime/node-http.test.ts',
  'src/telemetry/',
  'src/tracing/off.test.ts',
];

/** A file belongs to the first that names it or a folder of its path. */
const PLACES: readonly (readonly [SetName, readonly string[]])[] = [
  ['browser', ['test/browser/', 'test/component/', 'portal/vite/']],
  ['store', ['test/store/', 'test/portal/store/', 'src/store/', 'src/cli/']],
  ['service', WITH_PROCESSES],
  [
    'unit',
    ['src/', 'portal/src/', 'bench/', 'test/guard/world/', 'test/world/generator/', 'test/world/model/'],
  ],
  ['service', ['test/']],
];

export const SETS: readonly SetName[] = ['unit', 'store', 'service', 'browser'];

/** Undefined for a file that no set names. */
export function setOf(file: string): SetName | undefined {
  return PLACES.find(([, places]) => places.some((place) => file.startsWith(place)))?.[0];
}

export const listTests = (): readonly string[] => globSync(FILES, { cwd: ROOT }).sort();
