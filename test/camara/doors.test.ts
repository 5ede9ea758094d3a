/** Access tokens, and what crosses: codes of one door at another. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { read } from '../portal/rig.ts';
import { OTP, startCamara } from './rig.ts';

const cleanups: (() => unknown)[] = [];
let rig: Awaited<ReturnType<typeof startCamara>>;
before(async () => {
  rig = await startCamara({ after: (close) => cleanups.push(close) });
});
after(async () => {
  for (const close of cleanups.reverse()) await close();
});

suite('access tokens', () => {
  test('a token made with a key sends and validates as the key does, live and test', async () => {
    for (const isTest of [false, true]) {
      const secret = (await rig.makeKey({ test: isTest })).secret;
      for (const isBasic of [false, true]) {
        const scope = 'one-time-password-sms:send-validate dpv:FraudPreventionAndDetection';
        const { status, said } = await rig.askToken(secret, { scope }, isBasic);
        assert.deepEqual(
          [status, said.token_type, said.expires_in, said.scope],
          [200, 'Bearer', 3_600, scope],
        );
        const token = String(said.access_token);
        assert.ok(!token.includes(secret));
        const number = freshNumber();
        const { status: done, id } = await rig.sendTo('v1', number, {}, { key: token });
        assert.equal(done, 200);
        const { code } = await rig.client.message(number, id, { key: secret });
        assert.equal((await rig.validate('v2', id, code, { key: token })).status, 204);
      }
    }
  });

  test('a token opens no other door', async () => {
    const token = await rig.tokenOf(rig.key);
    assert.equal((await rig.client.verify(freshNumber(), 'sms', { key: token })).status, 401);
  });

  test('a token without the scope has no permission', async () => {
    const token = await rig.tokenOf(rig.key, { scope: 'dpv:FraudPreventionAndDetection' });
    const { status, code } = await rig.sendTo('v1', freshNumber(), {}, { key: token });
    assert.deepEqual([status, code], [403, 'PERMISSION_DENIED']);
  });

  test('a token ends with its key', async () => {
    const { id, secret } = await rig.makeKey();
    const token = await rig.tokenOf(secret);
    assert.equal((await rig.sendTo('v1', freshNumber(), {}, { key: token })).status, 200);
    read(await rig.owner.post(`${rig.path}/keys/${id}/revoke`));
    const ended = await eventually(async () => {
      const { status } = await rig.sendTo('v1', freshNumber(), {}, { key: token });
      return status === 401 || undefined;
    });
    assert.ok(ended);
  });

  test('what is no request for a token is refused in the words of OAuth', async () => {
    for (const [secret, form, status, error] of [
      [rig.key, { grant_type: 'password' }, 400, 'unsupported_grant_type'],
      ['nonsense', {}, 401, 'invalid_client'],
      ['', {}, 401, 'invalid_client'],
      [rig.key, { scope: 'openid' }, 400, 'invalid_scope'],
      [rig.key, { scope: 'dpv:One dpv:Two' }, 400, 'invalid_scope'],
    ] as const) {
      const answer = await rig.askToken(secret, form);
      assert.deepEqual([answer.status, answer.said.error], [status, error]);
    }
    const { status, text } = await rig.client.post('/camara/oauth2/token', {}, { key: null });
    assert.deepEqual([status, JSON.parse(text).error], [400, 'invalid_request']);
  });
});

suite('beside the other doors', () => {
  test('a code of one door is confirmed at another, once', async () => {
    const ours = await rig.sent('v1');
    assert.equal((await rig.client.confirm(ours.id, ours.code, { key: rig.key })).status, 200);
    assert.equal((await rig.validate('v1', ours.id, ours.code)).code, `${OTP}.VERIFICATION_EXPIRED`);
    const theirs = await rig.client.issue(freshNumber(), 'sms', { key: rig.key });
    assert.equal((await rig.validate('v2', theirs.id, theirs.code)).status, 204);
    assert.equal((await rig.client.confirm(theirs.id, theirs.code, { key: rig.key })).status, 409);
  });

  test('a code that is sent here ends those of /verify, and one of /verify ends none', async () => {
    const number = freshNumber();
    const first = await rig.client.issue(number, 'sms', { key: rig.key });
    const second = await rig.sent('v1', number);
    const third = await rig.client.issue(number, 'sms', { key: rig.key });
    assert.equal((await rig.validate('v1', first.id, first.code)).code, `${OTP}.VERIFICATION_EXPIRED`);
    assert.equal((await rig.validate('v1', second.id, second.code)).status, 204);
    // A number is approved once.
    assert.equal((await rig.validate('v1', third.id, third.code)).code, `${OTP}.VERIFICATION_EXPIRED`);
  });

  test('it is off until an owner turns it on, and the audit log says who did', async () => {
    await rig.turn(false);
    const { status, code } = await rig.sendTo('v1', freshNumber());
    assert.deepEqual([status, code], [403, 'PERMISSION_DENIED']);
    assert.deepEqual((await rig.askToken(rig.key)).said.error, 'unauthorized_client');
    await rig.turn(true);
    const { entries } = read<{ entries: { detail: string }[] }>(await rig.owner.get(`${rig.path}/audit`));
    assert.ok(entries.some(({ detail }) => detail === 'CAMARA: on'));
  });

  test('keys and tokens are in no line of the log', async () => {
    const token = await rig.tokenOf(rig.key);
    await rig.sendTo('v1', freshNumber(), {}, { key: token });
    const log = rig.service.logs();
    assert.ok(!log.includes(token) && !log.includes(rig.key));
  });
});
