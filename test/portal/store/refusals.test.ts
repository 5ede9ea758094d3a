/** Refused sign-ins: what the audit log counts together, and what an alert makes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuditLog } from '../../../src/accounts/audit.ts';
import { addMember } from '../../../src/accounts/members.ts';
import { watchSignIns } from '../../../src/alerts/watch/people.ts';
import { noteRefusal } from '../../../src/identity/sign-in/refusals.ts';
import { HOUR, MINUTE, NOW, overEachStore, SECOND } from './stores.ts';

overEachStore('refused sign-ins', (portal) => {
  test('as many refusals within an hour as an alert wants fire it, however they are spread', async () => {
    const { account, person, store } = portal();
    const spreads = {
      'an old one, and a burst around the end of its hour': (i: number) =>
        i === 0 ? 0 : HOUR - MINUTE + i * 6 * SECOND,
      evenly: (i: number) => i * (HOUR / 20),
      'most of them at first': (i: number) => Math.max(i * SECOND, (i - 18) * (HOUR / 2) - 1),
    };
    for (const [name, at] of Object.entries(spreads)) {
      const [accountId, personId] = [await account(), await person()];
      await store.transact([addMember(accountId, personId, 'viewer', NOW)]);
      const refused = Array.from({ length: 21 }, (_, i) => NOW + at(i));
      for (const each of refused)
        await noteRefusal(store, { personId, action: 'password.refused', address: '192.0.2.7', at: each });
      const look = (now: number) => watchSignIns({ records: store, now, thresholdOf: () => 20 });
      const found = (await look(Math.max(...refused))).find((each) => each.accountId === accountId);
      assert.equal(found?.level, 'bad', `${name}: ${found?.detail}`);
      const later = await look(Math.max(...refused) + HOUR + 6 * MINUTE);
      assert.equal(
        later.find((each) => each.accountId === accountId),
        undefined,
        name,
      );
    }
  });

  test('a flood of refusals writes an entry for each five minutes of it', async () => {
    const { account, person, store } = portal();
    const [accountId, personId] = [await account(), await person()];
    await store.transact([addMember(accountId, personId, 'viewer', NOW)]);
    for (let at = NOW; at < NOW + HOUR; at += 20 * SECOND)
      await noteRefusal(store, { personId, action: 'password.refused', address: '192.0.2.7', at });
    const { entries } = await readAuditLog(store, accountId);
    assert.equal(entries.length, 12);
  });
});
