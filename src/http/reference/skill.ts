/**
 * What an agent needs to integrate the service: one file, which is a skill (agentskills.io) in the package of the client, and without its
 * front matter what llmstxt.org asks for.
 */
import { readFile } from 'node:fs/promises';
import { DOCS_FOLDER } from './guides.ts';

const SKILL = new URL('skills/countersign/SKILL.md', DOCS_FOLDER);
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n+/;

export async function readLlmsText(): Promise<string> {
  return (await readFile(SKILL, 'utf8')).replace(FRONT_MATTER, '');
}
