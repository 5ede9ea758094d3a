/** The table of voice coverage in docs/carriers.md is what the code says. A failure prints the rows as they have to be. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { COUNTRY_LOCALES, WORDINGS } from '../../../src/core/message/locales.ts';
import type { Spoken } from '../../../src/core/sending/carrier.ts';
import { UNHEARD } from '../ports.ts';
import { VOICE_RIGS, type VoiceRig } from './voice-rigs.ts';

const PORTS = { ...UNHEARD };

async function rowOf(rig: VoiceRig): Promise<string> {
  const [withFallback, without] = [true, false].map((fallback) =>
    rig.create('http://127.0.0.1:9', PORTS, fallback),
  );
  assert.ok(withFallback && without);
  const count = (carrier: typeof without, how: Spoken) =>
    [...COUNTRY_LOCALES.values()].filter((locale) => carrier.speaks?.(locale) === how).length;
  const lacking = [...WORDINGS.keys()].filter((locale) => without.speaks?.(locale) === 'not-at-all');
  const counts = [
    count(withFallback, 'as-written'),
    count(withFallback, 'in-english'),
    count(without, 'not-at-all'),
  ];
  assert.equal(count(without, 'as-written') + count(without, 'not-at-all'), COUNTRY_LOCALES.size);
  await Promise.all([withFallback.stop(), without.stop()]);
  return `| \`${rig.name}\` | ${lacking.sort().join(' ')} | ${counts.join(' | ')} |`.replaceAll(
    '|  |',
    '| |',
  );
}

test('the documented coverage is that of the code', async () => {
  const rows = await Promise.all(VOICE_RIGS.map(rowOf));
  const page = await readFile(new URL('../../../docs/carriers.md', import.meta.url), 'utf8');
  const [, table = ''] =
    /\n\| Carrier \| Has no voice for \|[^\n]*\n\|[-| ]*\n((?:\|[^\n]*\n)*)/.exec(page) ?? [];
  assert.equal(table, `${rows.sort().join('\n')}\n`);
  assert.ok(page.includes(`Of ${COUNTRY_LOCALES.size} countries`));
});
