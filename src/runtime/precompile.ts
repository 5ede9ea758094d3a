/** Compiles what `serve` loads into the compile cache, so that the first start is as quick as every other. */
export async function precompile(): Promise<void> {
  await Promise.all([
    import('../cli/serve.ts'),
    import('../http/self-signed.ts'),
    import('../store/sqlite/batch.ts'),
    import('../store/sqlite/folder.ts'),
    import('../store/sqlite/migrate.ts'),
    import('../store/sqlite/operations.ts'),
    import('../store/sqlite/store.ts'),
    import('../store/postgres/store.ts'),
    import('../carriers/smpp/carrier.ts'),
    import('../carriers/http/carrier.ts'),
    import('../carriers/twilio/carrier.ts'),
    import('../carriers/vonage/carrier.ts'),
    import('../carriers/telnyx/carrier.ts'),
    import('../carriers/plivo/carrier.ts'),
    import('../carriers/infobip/carrier.ts'),
    import('../carriers/sinch/carrier.ts'),
    import('../carriers/aws/carrier.ts'),
  ]);
}
