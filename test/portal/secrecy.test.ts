/** After a walk through every route of the portal, no secret is found in clear anywhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onTwoNodes } from '../acceptance/target.ts';
import { LOOPBACK } from '../events/endpoint.ts';
import { assertNothingIn, assertNothingOnDisk } from '../faults/evidence.ts';
import { listRoutes } from './catalogue.ts';
import { firstAccount, logOf, OWNER, PASSWORD, read, startPortal } from './rig.ts';
import { walkPeople, walkSignIn } from './secrecy/people.ts';
import { walkDoNotSend, walkGuard, walkKeys, walkLookups } from './secrecy/sending.ts';
import { walkAlerts, walkWebhooks } from './secrecy/telling.ts';
import { MAIL_PASSWORD, Walk } from './secrecy/walk.ts';

/** Walked with a provider of single sign-on, in `oidc/`. */
const ELSEWHERE = ['DELETE me/identities/{id}', 'GET oidc/{name}', 'GET oidc/{name}/callback'];

/** Six digits, which may be part of some other number: they count only without digits around them. */
const standsAlone = (digits: string) => new RegExp(`(?<![\\w-])${digits}(?![\\w-])`);

test('a walk through every route leaves no secret in logs, metrics, errors or on the disk', async (t) => {
  const portal = await startPortal(t, {
    // Ten letters never occur by chance, as six digits do.
    config: {
      code: { length: 10, alphabet: 'letters' },
      log: { level: 'trace' },
      webhooks: { privateNetworks: LOOPBACK },
      // Nobody listens there.
      smtp: {
        ...{ host: 'localhost', port: 1, encryption: 'none', from: 'alerts@example.com' },
        ...{ user: 'ada', password: MAIL_PASSWORD },
      },
    },
  });
  const { service } = portal;
  const walk = new Walk(await listRoutes(portal.visitor()));
  const { evidence } = walk;
  const owner = walk.watch(portal.visitor());
  read(await owner.get('/portal/api/state'));
  const greeting = service.logs();
  const body = { token: portal.setupToken(), name: 'Olive', email: OWNER, password: PASSWORD };
  assert.equal((await owner.post('/portal/api/setup', body)).status, 204);
  const { id } = await firstAccount(owner);
  await walkPeople(walk, portal, owner, id);
  const key = await walkKeys(walk, owner, id);
  await walkLookups(walk, portal, owner, id, key);
  await walkDoNotSend(walk, owner, id);
  await walkGuard(walk, owner, id);
  await walkWebhooks(walk, portal, owner, id, key);
  await walkAlerts(walk, owner, id);
  await walkSignIn(walk, portal, owner);
  assert.deepEqual(walk.left.sort(), ELSEWHERE, 'every route was answered as it should be');

  const metrics = (await service.client.get('/metrics', { key: null })).text;
  assert.match(metrics, /countersign/);
  assertNothingIn(evidence, 'the metrics', metrics);
  for (const error of evidence.errors) assertNothingIn(evidence, 'an error', error);
  if (!onTwoNodes) await assertNothingOnDisk(evidence, service, 'while it runs');
  // What a kill would lose of it is written before.
  await logOf(service);
  await service.kill9();
  if (!onTwoNodes) await assertNothingOnDisk(evidence, service, 'after a crash');
  // The link of the first start is shown on purpose.
  const log = service.logs().replace(greeting, '');
  assert.ok(log.length > 10_000, 'there are lines of requests');
  assertNothingIn(evidence, 'the log', log);
  // People's addresses are in the store, because their account may see them, and in no log.
  for (const email of [OWNER, 'guest@example.com']) assert.ok(!service.logs().includes(email));
  for (const digits of walk.digits) {
    for (const text of [log, metrics]) assert.doesNotMatch(text, standsAlone(digits));
  }
});
