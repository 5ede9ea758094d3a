/** What the documents point at exists: files, headings, and what they quote of the service. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { test } from 'node:test';
import { PROBLEM_NAMES } from '../../src/http/problem.ts';
import { ROOT, readProjectFile } from '../deploy/project.ts';

const DOCUMENTS = globSync(
  ['*.md', 'docs/**/*.md', '{bench,client,component,examples,portal,deploy}/**/*.md'],
  {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  },
);
/** A link within the project. One that begins with a slash is of a running service (src/http/reference/skill.test.ts). */
const LINK = /\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** What stands outside of fences: a shell comment is no heading. */
const proseOf = (file: string): string => readProjectFile(file).replaceAll(/^```[\s\S]*?^```/gm, '');

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const headings = proseOf(file).matchAll(/^#+ +(.*)$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}

test('every link of a document leads to a file and a heading that exist', () => {
  const broken: string[] = [];
  for (const file of DOCUMENTS) {
    for (const [, path = '', anchor] of proseOf(file).matchAll(LINK)) {
      const target = path === '' ? file : normalize(`${dirname(file)}/${path}`).replace(/\/$/, '');
      const exists = globSync(target, { cwd: ROOT }).length > 0;
      if (!exists || (anchor !== undefined && !anchorsOf(target).has(anchor)))
        broken.push(`${file}: ${path}#${anchor ?? ''}`);
    }
  }
  assert.ok(DOCUMENTS.length > 40, 'the documents were found');
  assert.deepEqual(broken, []);
});

test('the README leads to every guide', () => {
  const readme = readProjectFile('README.md');
  const guides = globSync('docs/*.md', { cwd: ROOT });
  assert.ok(guides.length > 30, 'the guides were found');
  assert.deepEqual(
    guides.filter((guide) => !readme.includes(`](${guide})`)),
    [],
  );
});

/** What people paste: an interactive zsh takes a comment for a command, or for more arguments of one. */
test('commands to paste have no comments', () => {
  const blocks = DOCUMENTS.flatMap((file) =>
    Array.from(readProjectFile(file).matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm), ([, , text = '']) => ({
      file,
      text,
    })),
  );
  assert.ok(blocks.length > 50, 'the blocks were found');
  const comments = blocks.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line) => (/(^|\s)#/.test(line) ? [`${file}: ${line}`] : [])),
  );
  assert.deepEqual(comments, []);
});

/** Guides that say where something is in the portal. */
const OF_THE_PORTAL = [
  'alerts',
  'budgets',
  'do-not-send',
  'guard',
  'hooks',
  'keys',
  'lookups',
  'operations',
  'personal-data',
]
  .concat(['portal', 'rcs', 'routing', 'troubleshooting', 'twilio', 'camara', 'audit-log'])
  .map((name) => `docs/${name}.md`);
/** In the consoles of providers of single sign-on. */
const ELSEWHERE = new Set(['Client authentication', 'Standard flow', 'Web application', 'Internal']);

test('what a guide calls by name in the portal is what the portal calls it', () => {
  const sources = globSync(
    ['portal/src/**/*.{ts,tsx}', 'src/accounts/key-names.ts', 'src/core/alerts/rule.ts'],
    {
      cwd: ROOT,
    },
  ).map((file) => readProjectFile(file).replaceAll(/\s+/g, ' '));
  const unknown: string[] = [];
  let known = 0;
  for (const file of OF_THE_PORTAL) {
    const prose = proseOf(file)
      .replaceAll(/`[^`]*`/g, '')
      .replaceAll(/\s+/g, ' ');
    for (const [, name = ''] of prose.matchAll(/"([A-Z][^"]{1,60})"/g)) {
      if (ELSEWHERE.has(name)) continue;
      if (sources.some((text) => text.includes(name))) known += 1;
      else unknown.push(`${file}: ${name}`);
    }
  }
  assert.ok(known > 40, 'names were found');
  assert.deepEqual(unknown, []);
});

/** The READMEs of client and component are read on npm, once they are there. */
test('no guide fetches from npm what is not ours there yet', () => {
  const fetched = DOCUMENTS.filter((file) => /^(README|docs\/)/.test(file)).flatMap((file) =>
    readProjectFile(file)
      .split('\n')
      .filter((line) => /(npm install|npx) .*(@countersign\/|\bcountersign( |$))/.test(line))
      .map((line) => `${file}: ${line}`),
  );
  // What was installed from a file.
  assert.deepEqual(
    fetched.filter((line) => !line.includes(' ./countersign-')),
    [],
  );
});

test('what troubleshooting quotes of the service is what the service says', () => {
  const text = readProjectFile('docs/troubleshooting.md');
  const problems = Array.from(text.matchAll(/`\d{3} ([a-z-]+)`/g), ([, name = '']) => name);
  assert.ok(problems.length > 10);
  const known: readonly string[] = PROBLEM_NAMES;
  assert.deepEqual(
    problems.filter((name) => !known.includes(name)),
    [],
  );
  const source = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
    .map(readProjectFile)
    .join('\n');
  const table = /^\| The line says[\s\S]*?\n\n/m.exec(text)?.[0] ?? '';
  const lines = Array.from(table.matchAll(/^\| `([^`.]+)` \|/gm), ([, line = '']) => line);
  assert.ok(lines.length >= 4);
  assert.deepEqual(
    lines.filter((line) => !source.includes(line)),
    [],
  );
});

test('the key has one name in all documents and samples', () => {
  const samples = globSync(['src/http/reference/samples/*.ts', 'portal/src/format/*.ts', 'examples/*/*.js'], {
    cwd: ROOT,
  });
  const names = [...DOCUMENTS, ...samples]
    .filter((file) => file !== 'CHANGELOG.md')
    .flatMap((file) =>
      Array.from(readProjectFile(file).matchAll(/\bCOUNTERSIGN_(?:API_|TEST_)?KEY\b/g), ([name]) => name),
    );
  assert.deepEqual([...new Set(names)].sort(), ['COUNTERSIGN_API_KEY', 'COUNTERSIGN_TEST_KEY']);
});
