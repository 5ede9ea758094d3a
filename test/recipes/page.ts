/** The files that a page of docs/recipes/ gives to paste: fenced blocks whose first line is a comment with the file's name. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProjectFile } from '../deploy/project.ts';

const FILE = /^```\w+\n(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?\n[\s\S]*?^```$/gm;
const MOST_LINES = 60;

/** Their names and texts. */
export function filesOf(page: string): ReadonlyMap<string, string> {
  const blocks = readProjectFile(`docs/recipes/${page}`).matchAll(FILE);
  const files = new Map(Array.from(blocks, ([block, name = '']) => [name, linesOf(block)] as const));
  assert.ok(files.size > 0, `${page} has files`);
  return files;
}

const linesOf = (block: string): string => block.replace(/^.*\n/, '').replace(/```$/, '');

/** Puts them into a folder. What somebody has to paste stays short: tests and empty lines apart, 60 lines. */
export function paste(page: string, folder: string): void {
  let lines = 0;
  for (const [name, text] of filesOf(page)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (!/\.test\.\w+$/.test(name)) lines += text.split('\n').filter((line) => line !== '').length;
  }
  assert.ok(lines <= MOST_LINES, `${page} has ${lines} lines to paste`);
}
