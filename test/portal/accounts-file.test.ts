/** A file of accounts is applied beside a running service, which follows. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { eventually, problemOf } from '../acceptance/client.ts';
import { envOf } from '../doors/doors.ts';
import { startService } from '../service.ts';

for (const kind of ['embedded', 'shared'] as const) {
  suite(`accounts as a file, with the ${kind} store`, () => {
    test('a key that was applied works, and what is changed holds within moments', async () => {
      await using parts = new AsyncDisposableStack();
      const service = parts.use(await startService({ env: await envOf(kind, parts) }));
      const file = join(service.dataDir, 'accounts.yaml');
      const apply = async (countries: string) => {
        await writeFile(
          file,
          `accounts: { shop: { settings: { countries: [DE, US] }, keys: { web: { restrictions: { countries: ${countries} } } } } }`,
        );
        return service.command('accounts', 'apply', file, '--yes');
      };
      const [account, name, key = ''] = (await apply('[]')).trim().split('\t');
      assert.deepEqual([account, name], ['shop', 'web']);
      const ask = async (destination: string) => {
        const answer = await service.client.post('/verify', { destination, channel: 'sms' }, { key });
        return answer.json.errors?.[0]?.code ?? problemOf(answer) ?? answer.status;
      };
      assert.equal(await ask('+4915112345678'), 200);
      assert.equal(await ask('+33612345678'), 'country_not_allowed');
      assert.equal(await apply('[]'), '');
      assert.equal(await apply('[US]'), '');
      assert.ok(
        await eventually(async () => (await ask('+4915112345679')) === 'country_not_allowed' || undefined),
      );
      const exported = await service.command('accounts', 'export');
      assert.match(exported, /countries:\n +- US\n/);
      assert.ok(!exported.includes(key.slice(9, 17)));
      await writeFile(file, exported);
      assert.equal(await service.command('accounts', 'apply', file), 'nothing to change\n');
    });
  });
}
