/** From the first start to the first owner, and the security headers of every answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, problemOf, secondOf } from '../../acceptance/client.ts';
import { logOf, OWNER, PASSWORD, readMe, sharePortal, startPortal } from '../rig.ts';

const openPlace = sharePortal();

test('if a hundred people follow the set-up link at once, one becomes the owner', async (t) => {
  const { service, visitor, setupToken } = await startPortal(t);
  const token = setupToken();
  const state = await visitor().get('/portal/api/state');
  assert.equal(JSON.parse(state.text).setup_needed, true);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const person = { name: `Person ${i}`, email: `person${i}@example.com`, password: PASSWORD };
      return visitor().post('/portal/api/setup', { token, ...person }, { askAgain: false });
    }),
  );
  const made = answers.filter(({ status }) => status === 204);
  assert.equal(made.length, 1);
  // Requests beyond the number that may wait for a key derivation are refused earlier.
  for (const answer of answers.filter(({ status }) => status !== 204)) {
    assert.ok(['link-spent', 'overloaded'].includes(problemOf(answer) ?? ''), answer.text);
  }
  assert.equal(JSON.parse((await visitor().get('/portal/api/state')).text).setup_needed, false);
  const count = (pattern: RegExp) => service.logs().match(pattern)?.length ?? 0;
  const [links, greetings] = [count(/portal\/setup#/g), count(/^Countersign is ready/gm)];
  await service.restart();
  // A link would be printed after the greeting, which comes when the service answers already.
  assert.ok(await eventually(async () => count(/^Countersign is ready/gm) > greetings || undefined));
  await secondOf(service.client);
  assert.equal(count(/portal\/setup#/g), links, 'with an owner no link is printed');
});

test('a new service, up to its first owner', async (t) => {
  const { service, visitor, setupToken, setUp } = await startPortal(t);
  await service.createKey('other', { account: 'other' });
  const first = setupToken();

  await t.test(
    'a password that is short, common or contains the address is refused with the reason',
    async () => {
      for (const password of ['shorty', 'Password1234!', 'qwertyuiop12345', 'mary.smith-was-here']) {
        const body = { token: first, name: 'Mary', email: 'Mary.Smith@example.com', password };
        const answer = await visitor().post('/portal/api/setup', body);
        assert.equal(answer.status, 400, password);
        assert.deepEqual(
          answer.json.errors?.map(({ field }) => field),
          ['password'],
        );
        assert.ok(!answer.text.includes(password));
      }
    },
  );

  await t.test('each start prints a link while there is no owner', async () => {
    await service.restart();
    const second = await eventually(async () => (setupToken() === first ? undefined : setupToken()));
    assert.ok(second);
  });

  await t.test(
    'the first owner owns every account, and gets a cookie that no page and no other host can touch',
    async () => {
      const owner = await setUp();
      const me = await readMe(owner);
      assert.equal(me.email, OWNER);
      assert.deepEqual(
        me.accounts.map(({ name, role }) => [name, role]),
        [
          ['default', 'owner'],
          ['other', 'owner'],
        ],
      );
      const [cookie = ''] = owner.setCookies;
      assert.match(cookie, /^__Host-countersign=[\w-]{43}; /);
      for (const flag of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax'])
        assert.ok(cookie.includes(`; ${flag}`), flag);
      assert.doesNotMatch(cookie, /Domain/);
    },
  );

  await t.test('no link works after one was used', async () => {
    const person = { name: 'Late', email: 'late@example.com', password: PASSWORD };
    const late = await visitor().post('/portal/api/setup', { token: first, ...person });
    assert.equal(problemOf(late), 'link-spent');
  });
});

test('every answer of the portal carries a policy that allows nothing unsafe', async (t) => {
  const { visitor } = await openPlace(t);
  const guest = visitor();
  for (const path of [
    '/',
    '/portal',
    '/portal/',
    '/portal/keys',
    '/portal/api/state',
    '/portal/api/me',
    '/portal/x.js',
  ]) {
    const { headers, status } = await guest.get(path);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/, `${path} ${status}`);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    // What `default-src` does not cover.
    for (const directive of ["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      assert.ok(policy.split('; ').includes(directive), directive);
    }
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }
  const root = await guest.get('/');
  assert.deepEqual([root.status, root.headers.location], [303, '/portal/']);
  assert.equal((await guest.get('/portal/x.js')).status, 404);
  assert.equal((await guest.get('/portal/api/nothing')).status, 404);
  assert.equal((await guest.get('/portal/%2e%2e/package.json')).status, 404);
});

test('no token, password or address of a person reaches the log or the disk in clear', async (t) => {
  const { service, setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  await visitor().post('/portal/api/session', {
    email: 'nobody@example.com',
    password: 'some-wrong-password',
  });
  const session = owner.cookies.get('__Host-countersign') ?? '';
  const log = await logOf(service);
  for (const secret of [session, PASSWORD, OWNER, email, 'nobody@example.com', 'some-wrong-password']) {
    assert.ok(!log.includes(secret), secret);
  }
  const { execFileSync } = await import('node:child_process');
  for (const secret of [session, PASSWORD, 'some-wrong-password', 'nobody@example.com']) {
    const found = execFileSync('sh', [
      '-c',
      'grep -rlaF -- "$1" "$2" || true',
      'sh',
      secret,
      service.dataDir,
    ]);
    assert.equal(found.toString(), '', secret);
  }
});
