/** Loads the code of look-ups only where one is configured. */
import { INERT } from '../carriers/index.ts';
import type { Config } from '../config/table/schema.ts';
import type { LookupPorts } from './asked-provider.ts';
import type { OpenLookups } from './index.ts';

/** For look-ups that are only inspected. */
export const UNASKED: LookupPorts = { ...INERT, told: () => {} };

export async function loadLookups(
  { lookups }: Pick<Config, 'lookups'>,
  ports: LookupPorts,
): Promise<OpenLookups | undefined> {
  if (Object.keys(lookups).length === 0) return undefined;
  const { openLookups } = await import('./index.ts');
  return openLookups(lookups, ports);
}
