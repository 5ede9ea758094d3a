/** While the secret is rotated a number is approved once, by whichever door, with codes of both secrets out. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type Client, freshNumber } from '../acceptance/client.ts';
import { openPortal } from '../portal/rig.ts';
import { startPostgres } from '../postgres.ts';
import { startService } from '../service.ts';
import { openAccount } from './account.ts';

const SERVICE = `/twilio/v2/Services/VA${'b'.repeat(32)}`;

interface Code {
  readonly to: string;
  readonly sid: string;
  readonly code: string;
}

/** Answers whether a code was approved. */
type Door = (code: Code) => Promise<boolean>;

function connect(client: Client, key: string) {
  const authorization = `Basic ${Buffer.from(`AC${'a'.repeat(32)}:${key}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const post = (path: string, form: Record<string, string>) =>
    client.post(`${SERVICE}/${path}`, undefined, {
      ...{ key: null, headers, raw: new URLSearchParams(form).toString() },
    });
  const isApproved = (answer: Awaited<ReturnType<typeof post>>) =>
    answer.status < 300 && JSON.parse(answer.text).status === 'approved';
  const confirm: Door = async ({ sid, code }) =>
    (await client.confirm(sid.replace('VE', 'ver_'), code, { key })).status === 200;
  const byNumber: Door = async ({ to, code: Code }) =>
    isApproved(await post('VerificationCheck', { To: to, Code }));
  const bySid: Door = async ({ sid: VerificationSid, code: Code }) =>
    isApproved(await post('VerificationCheck', { VerificationSid, Code }));
  const onItsWord: Door = async ({ sid }) =>
    isApproved(await post(`Verifications/${sid}`, { Status: 'approved' }));
  return {
    async send(to: string, code: string): Promise<Code> {
      const answer = await post('Verifications', { To: to, Channel: 'sms', CustomCode: code });
      assert.equal(answer.status, 201, answer.text);
      return { to, code, sid: JSON.parse(answer.text).sid };
    },
    doors: {
      '/confirm': confirm,
      'a check of the number': byNumber,
      'a check of the sid': bySid,
      'Status=approved': onItsWord,
    },
  };
}

suite('while the secret is rotated, a number is approved once', () => {
  for (const store of ['embedded', 'PostgreSQL'] as const) {
    test(`in the ${store} store, by every door`, async (t) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'countersign-rotation-'));
      t.after(() => rm(dataDir, { recursive: true }));
      const config: { routes: object[]; store?: object } = {
        routes: [{ channel: 'sms', carriers: ['simulator'] }],
      };
      if (store === 'PostgreSQL') {
        const postgres = await startPostgres();
        t.after(() => postgres.dispose());
        config.store = { url: await postgres.createDatabase() };
      }
      const [first = '', second = ''] = [1, 2].map(() => randomBytes(32).toString('hex'));
      const under = (env: Record<string, string>) =>
        startService({ dataDir, withoutKeys: true, config, env });

      await using before = await under({ COUNTERSIGN_SECRET: first });
      const account = await openAccount(await (await openPortal(t, before)).setUp());
      await account.turn(true);
      const key = await account.createKey({ customCodes: true });
      const { send, doors } = connect(before.client, key);
      const entries = Object.keys(doors).flatMap((door) =>
        (['old', 'fresh'] as const).map((right) => ({ door, right })),
      );
      const old: Code[] = [];
      for (const _ of entries) old.push(await send(freshNumber(), '135790'));
      await before.stop();

      await using during = await under({ COUNTERSIGN_SECRET: second, COUNTERSIGN_PREVIOUS_SECRET: first });
      const now = connect(during.client, key);
      const ways = Object.entries(now.doors);
      for (const [i, { door, right }] of entries.entries()) {
        const one = old[i];
        assert.ok(one !== undefined);
        const fresh = await now.send(one.to, '246801');
        const [approved, other] = right === 'old' ? [one, fresh] : [fresh, one];
        const enter = ways.find(([name]) => name === door)?.[1];
        assert.equal(await enter?.(approved), true, `the ${right} code by ${door}`);
        for (const [name, again] of ways)
          assert.equal(
            await again(other),
            false,
            `the other by ${name}, once the ${right} one was by ${door}`,
          );
      }
    });
  }
});
