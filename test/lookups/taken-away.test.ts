/** A look-up that the configuration had when an owner made a rule of it, and has no more. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { AccountSettings } from '../../src/core/accounts/account-settings.ts';
import { eventually } from '../acceptance/client.ts';
import { startService } from '../service.ts';

const RULE: AccountSettings['refuse'] = { swappedWithinHours: 72, lineTypes: ['voip'], recycled: false };

test('a rule that no look-up tells is warned of at the start and by doctor, with the account', async () => {
  const lines = {
    type: 'http',
    url: 'http://127.0.0.1:9/{{toDigits}}',
    lineType: { path: 'type', values: { mobile: 'mobile' } },
    price: 0,
  };
  await using service = await startService({ config: { lookups: { lines } } });
  await service.stop();
  {
    using db = new DatabaseSync(join(service.dataDir, 'countersign.db'), { timeout: 20_000 });
    db.prepare("INSERT INTO account_setting SELECT id, json_object('refuse', json(?)) FROM account").run(
      JSON.stringify(RULE),
    );
  }
  await service.restart();
  const told = 'refuses a SIM that was swapped within 72 hours, but no look-up tells this';
  const warning = () =>
    service
      .logs()
      .split('\n')
      .find((line) => line.includes(told));
  const line = (await eventually(async () => warning())) ?? assert.fail(service.logs());
  assert.match(line, /"level":"warn".*"option":"lookups","account":"acc_/);
  const said = await service.command('doctor').catch(({ stdout }: { stdout: string }) => stdout);
  assert.match(said, new RegExp(`^warn {2}account default: ${told}`, 'm'));
});
