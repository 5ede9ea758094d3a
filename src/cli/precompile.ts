/** Fills the compile cache, for images and other installations that cannot write it later. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import { serve } from '../main.ts';
import { keepHeapSmall } from '../runtime/small-heap.ts';
import { openStore } from '../store/open.ts';
import { readConfiguration } from './configuration.ts';

/** With what `serve` loads, for which a service starts and stops, and with what it may load later. */
export async function precompile(): Promise<void> {
  // As `serve` does: what threads compile under other flags of V8 has a place of its own.
  keepHeapSmall();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-precompile-'));
  try {
    const file = join(folder, 'countersign.yaml');
    await writeFile(file, JSON.stringify({ dataDir: folder, host: '127.0.0.1', port: 0 }));
    const environment = { COUNTERSIGN_CONFIG: file, COUNTERSIGN_LOG_LEVEL: 'silent' };
    const config = await readConfiguration(undefined, environment);
    const service = await serve(config);
    await service.stop();
    const store = await openStore(config, { exclusive: true });
    // The thread for long queries starts with the first of them.
    await store.carrierStates(store.clock.now());
    await store.close();
  } finally {
    await rm(folder, { recursive: true });
  }
  await Promise.all([
    import('./serve.ts'),
    import('../http/connection/self-signed.ts'),
    import('../http/reference/site.ts'),
    import('../store/postgres/store.ts'),
    import('../tracing/traced.ts'),
    ...CARRIER_TYPES.map((type) => type.load()),
  ]);
}
