/** What identity systems send. */
import { createSystems } from '../../hooks/systems.ts';
import type { Command } from '../command.ts';
import type { Sending } from './node.ts';

const LATE_MS = 6 * 60_000;

/** Those that sign have secrets of their own; the others are handed the API key. */
export const SYSTEMS = createSystems('');
const FORGERS = createSystems('somebody else');

export function hookRequest(
  { system, to, code, once = '', odd }: Extract<Command, { do: 'hook' }>,
  key: string,
  now: number,
): Sending {
  const n = SYSTEMS.findIndex(({ name }) => name === system);
  const [one, forger] = [SYSTEMS[n], FORGERS[n]];
  if (one === undefined || forger === undefined) throw new Error(`${system} is no identity system`);
  const at = new Date(odd === 'late' ? now - LATE_MS : now);
  const secret = odd === 'forged' ? (forger.secret ?? 'no key') : (one.secret ?? key);
  return {
    method: 'POST',
    url: `/hooks/${system}`,
    ...one.make(to, code, { id: once, at }).send({ secret, at }),
  };
}
