/** What an application says of a verification, at a running service: kept, counted, told in the audit log, and seen by people. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { freshNumber, problemOf } from '../acceptance/client.ts';
import { envOf } from '../doors/doors.ts';
import { firstAccount, openPortal, read } from '../portal/rig.ts';
import { startService } from '../service.ts';

for (const kind of ['embedded', 'shared'] as const) {
  suite(`feedback, with the ${kind} store`, () => {
    test('reaches the guard for what was confirmed with a live key, and nobody for a test key', async () => {
      await using parts = new AsyncDisposableStack();
      const env = { ...(await envOf(kind, parts)), COUNTERSIGN_GUARD_MODE: 'enforce' };
      const service = parts.use(await startService({ env }));
      const portal = await openPortal(
        { after: (close) => parts.defer(async () => void (await close())) },
        service,
      );
      const owner = await portal.setUp();
      const { id: accountId, name: account } = await firstAccount(owner);
      const { client } = service;
      const testKey = await service.createKey('tests', { account, test: true });
      const other = await service.createKey('other', { account: 'other' });
      const say = async (id: string, verdict: string, key = service.key) => {
        const answer = await client.post(`/verifications/${id}/feedback`, { verdict }, { key });
        return problemOf(answer) ?? answer.status;
      };
      const counted = async () =>
        (await service.command('guard', 'explain', '+4915112345678', '--account', account))
          .split('\n')
          .at(-2);
      const number = freshNumber();
      const { id, code } = await client.issue(number);
      assert.equal((await client.confirm(id, code)).status, 200);
      const tested = await client.issue(number, 'sms', { key: testKey });

      assert.equal(await say(id, 'fraud'), 200);
      assert.equal(await say(id, 'fraud'), 200);
      assert.equal(await say(tested.id, 'fraud', testKey), 200);
      assert.equal(
        await counted(),
        'verdicts of the account that count today: 1 of at most 100 as fraud, 0 of at most 20 as good',
      );
      assert.equal(await say(id, 'fraud', other), 'verification-not-found');
      assert.equal(await say(id, 'fraud', testKey), 'verification-not-found');
      assert.equal(await say(id, 'bad'), 'invalid-request');

      const path = `/portal/api/accounts/${accountId}`;
      const { verdict } = read<{ verdict: { verdict: string } }>(
        await owner.get(`${path}/verifications/${id}`),
      );
      assert.equal(verdict.verdict, 'fraud');
      const log = JSON.parse(await service.command('audit', 'export', '--account', account));
      const entries: { action: string; who: string; subject: string; detail: string }[] = log.entries;
      assert.deepEqual(
        entries
          .filter(({ action }) => action === 'verification.judged')
          .map(({ who, subject, detail }) => [who.replace(/ \(csk_\w+\)$/, ''), subject, detail]),
        [
          ['preset', id, 'fraud'],
          ['tests', tested.id, 'fraud'],
        ],
      );

      await service.command('numbers', 'erase', '--destination', number);
      assert.equal(await say(id, 'good'), 'verification-not-found');
    });
  });
}
