/** What identity systems are answered, read as one language (hooks.md). */
import type { Answer } from '../happening.ts';
import type { Command } from './state.ts';
import { fieldOf } from './table.ts';

/** Those that name their messages: the same name within 24 hours is a repetition. */
export const NAMES_MESSAGES = ['clerk'];
/** Those that say at which time they signed: five minutes off is forged. */
export const SIGNS_TIME = ['supabase', 'zitadel', 'clerk'];
export const SYSTEMS = [
  ...[
    'fusionauth',
    'supabase',
    'zitadel',
    'authgear',
    'clerk',
    'logto',
    'casdoor',
    'authentik',
    'kratos',
    'keycloak',
  ],
];

/** Where a system is told in its own words, a refusal is known by its status alone. */
function inOneLanguage(system: string, answer: Answer): Answer {
  const { status, body } = answer;
  if (system === 'supabase' && status === 200) {
    const code = fieldOf(fieldOf(body, 'error'), 'http_code');
    // what it shows to people is no refusal of them if the hook's own key is refused
    return code === undefined ? answer : { ...answer, status: code === 500 ? 401 : Number(code), body: null };
  }
  const plain = system === 'authentik' || system === 'authgear';
  if (!plain || (status < 400 && fieldOf(body, 'code') !== 'ok')) return answer;
  return { ...answer, body: status < 400 ? {} : null };
}

export function readHook(command: Command): Command {
  const ask = command.command;
  return ask.do === 'hook' ? { ...command, answer: inOneLanguage(ask.system, command.answer) } : command;
}
