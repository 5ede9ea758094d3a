import { readFileSync } from 'node:fs';
import type { HttpOptions } from './options.ts';

/**
 * The CA of the gateway's certificate, PEM; undefined if it is a public one.
 * @throws Error that names the option if the file cannot be read
 */
export function readAuthority({ ca }: Pick<HttpOptions, 'ca'>): string | undefined {
  if (ca === undefined) return undefined;
  try {
    return readFileSync(ca, 'utf8');
  } catch {
    throw new Error(`ca: ${ca} cannot be read`);
  }
}
