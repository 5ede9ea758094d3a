/** Checks that the file of an embedded store is intact: a broken page shows only when something reads it. */

import type { Config } from '../../config/table/schema.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';

interface Verdict {
  readonly ok: boolean;
  readonly detail: string;
}

export async function checkStoreFile({ dataDir }: Config): Promise<Verdict> {
  const { storeFile } = await import('../../store/sqlite/file/folder.ts');
  const { quickCheck } = await import('../../store/sqlite/backup/inspection.ts');
  const file = storeFile(dataDir);
  const begun = SYSTEM_CLOCK.steady();
  const found = quickCheck(file);
  if (found.kind === 'damaged') {
    const restore = 'stop the service and replace it with a backup: `countersign restore`';
    return { ok: false, detail: `${file} is damaged (${found.detail.replaceAll('\n', '; ')}); ${restore}` };
  }
  const seconds = ((SYSTEM_CLOCK.steady() - begun) / 1_000).toFixed(1);
  return {
    ok: true,
    detail: `${file} is intact: ${(found.size / 2 ** 20).toFixed(1)} MiB read in ${seconds} s`,
  };
}
