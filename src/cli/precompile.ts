import { CARRIER_TYPES } from '../carriers/all-types.ts';

/** Fills the compile cache with what `serve` loads, so that the first start is as quick as all others. */
export async function precompile(): Promise<void> {
  await Promise.all([
    import('./serve.ts'),
    import('../http/connection/self-signed.ts'),
    import('../http/reference/site.ts'),
    import('../store/sqlite/thread/batch.ts'),
    import('../store/sqlite/file/folder.ts'),
    import('../store/sqlite/schema/migrate.ts'),
    import('../store/sqlite/thread/operations.ts'),
    import('../store/sqlite/store.ts'),
    import('../store/postgres/store.ts'),
    import('../tracing/traced.ts'),
    ...CARRIER_TYPES.map((type) => type.load()),
  ]);
}
