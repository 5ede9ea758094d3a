/** Twilio's own library for Node, unmodified, against a service: what it is answered, and what it throws. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import twilio from 'twilio';
import { eventually, freshNumber, wrongCode } from '../acceptance/client.ts';
import { type PortalRig, read, startPortal } from '../portal/rig.ts';
import { openAccount } from './account.ts';

const { RequestClient, RestException } = twilio;

/** Asks again, as apps should, when the service is overloaded and has done nothing: a shared machine may hold it up. */
class PatientClient extends RequestClient {
  override async request<T>(options: Parameters<typeof RequestClient.prototype.request<T>>[0]) {
    for (let times = 0; ; times++) {
      const response = await super.request<T>(options);
      if (
        response.statusCode !== 503 ||
        !/Nothing was done/.test(JSON.stringify(response.body)) ||
        times === 80
      )
        return response;
      await sleep(250);
    }
  }
}
const ACCOUNT = `AC${'a'.repeat(32)}`;
const SERVICE = `VA${'b'.repeat(32)}`;
const LANDLINE = '+493012345678';

suite('twilio-node', () => {
  let rig: PortalRig;
  let key: string;
  let owner: Awaited<ReturnType<PortalRig['setUp']>>;
  let account: Awaited<ReturnType<typeof openAccount>>;

  const cleanups: (() => unknown)[] = [];
  before(async () => {
    const routes = ['sms', 'voice', 'whatsapp', 'rcs'].map((channel) => ({
      channel,
      carriers: ['simulator'],
    }));
    rig = await startPortal({ after: (close) => cleanups.push(close) }, { config: { routes } });
    owner = await rig.setUp();
    account = await openAccount(owner);
    key = await account.createKey();
  });
  after(async () => {
    for (const close of cleanups.reverse()) await close();
  });

  function connect(password = key) {
    const client = twilio(ACCOUNT, password, {
      httpClient: new PatientClient({ ca: rig.service.ca, maxSockets: 50 }),
    });
    client.verify.baseUrl = `${rig.service.baseUrl}/twilio`;
    const service = client.verify.v2.services(SERVICE);
    return {
      send: (to: string, channel = 'sms', more = {}) =>
        service.verifications.create({ to, channel, ...more }),
      check: (to: string, code: string) => service.verificationChecks.create({ to, code }),
      service,
    };
  }

  /** The status and code that a call fails with. */
  async function failure(call: Promise<unknown>): Promise<readonly [number, number | undefined, string]> {
    try {
      await call;
    } catch (error) {
      if (error instanceof RestException) {
        assert.equal(error.moreInfo, `https://www.twilio.com/docs/errors/${error.code}`);
        return [error.status, error.code, error.message];
      }
      throw error;
    }
    throw new Error('the call did not fail');
  }
  const codesOf = async (call: Promise<unknown>) => (await failure(call)).slice(0, 2);

  const codeOf = async (to: string, sid: string, secret = key) =>
    (await rig.service.client.message(to, sid.replace('VE', 'ver_'), { key: secret })).code;

  test('is off until an owner turns it on, and says how', async () => {
    const { send } = connect();
    const [status, code, message] = await failure(send(freshNumber()));
    assert.deepEqual([status, code], [404, 20404]);
    assert.match(message, /An owner turns it on in the portal/);
    await account.turn(true);
    const sent = await eventually(() => send(freshNumber()).catch(() => undefined));
    assert.equal(sent?.status, 'pending');
    const audit = read<{ entries: { action: string; detail: string }[] }>(
      await owner.get(`${account.path}/audit`),
    );
    assert.ok(audit.entries.some(({ detail }) => detail === 'Twilio Verify: on'));
  });

  test('a code is sent and checked by the number', async () => {
    const { send, check } = connect();
    const to = freshNumber();
    const sent = await send(to);
    assert.match(sent.sid, /^VE[0-9a-f]{32}$/);
    const { serviceSid, accountSid, channel, status, valid, lookup, amount, payee, sna, url } = sent;
    assert.deepEqual(
      { to: sent.to, serviceSid, accountSid, channel, status, valid, lookup, amount, payee, sna },
      {
        ...{ to, serviceSid: SERVICE, accountSid: ACCOUNT, channel: 'sms', status: 'pending', valid: false },
        ...{ lookup: {}, amount: null, payee: null, sna: null },
      },
    );
    assert.equal(url, `${rig.service.baseUrl}/twilio/v2/Services/${SERVICE}/Verifications/${sent.sid}`);
    assert.ok(Math.abs(sent.dateCreated.getTime() - Date.now()) < 60_000);
    assert.match(String(sent.sendCodeAttempts[0]?.attempt_sid), /^VL[0-9a-f]{32}$/);
    const code = await codeOf(to, sent.sid);

    const wrong = await check(to, wrongCode(code));
    assert.deepEqual([wrong.status, wrong.valid, wrong.sid, wrong.to], ['pending', false, sent.sid, to]);
    const right = await check(to, code);
    assert.deepEqual([right.status, right.valid, right.sid], ['approved', true, sent.sid]);
    assert.deepEqual([right.channel, right.serviceSid, right.accountSid], ['sms', SERVICE, ACCOUNT]);
    assert.ok(right.dateUpdated instanceof Date);
    const [status2, code2, message] = await failure(check(to, code));
    assert.deepEqual([status2, code2], [404, 20404]);
    assert.equal(message, `The requested resource /Services/${SERVICE}/VerificationCheck was not found`);
    assert.deepEqual(await codesOf(connect().service.verifications(sent.sid).fetch()), [404, 20404]);
  });

  test('a code that is sent again makes the one before it good as well, until one is approved', async () => {
    const { send, check, service } = connect();
    const to = freshNumber();
    const [first, second] = [await send(to), await send(to, 'call')];
    assert.notEqual(first.sid, second.sid);
    assert.equal(second.channel, 'call');
    const codes = [await codeOf(to, first.sid), await codeOf(to, second.sid)] as const;
    // By the SID of the first, too: to Twilio, both are one verification.
    const bySid = await service.verificationChecks.create({ verificationSid: first.sid, code: codes[1] });
    assert.deepEqual([bySid.status, bySid.sid, bySid.channel], ['approved', second.sid, 'call']);
    assert.deepEqual(await codesOf(check(to, codes[0])), [404, 20404]);
  });

  test('after five wrong codes even the right one is refused', async () => {
    const { send, check } = connect();
    const to = freshNumber();
    const { sid } = await send(to);
    const code = await codeOf(to, sid);
    for (let i = 0; i < 5; i++) assert.equal((await check(to, wrongCode(code))).status, 'pending');
    assert.deepEqual(await codesOf(check(to, code)), [429, 60202]);
    assert.deepEqual(await codesOf(connect().service.verifications(sid).fetch()), [404, 20404]);
  });

  test('a number without a code, and an expired code, are not found', async () => {
    const { send, check } = connect();
    const to = freshNumber();
    assert.deepEqual(await codesOf(check(to, '123456')), [404, 20404]);
    const { sid } = await send(to);
    const code = await codeOf(to, sid);
    const database = new DatabaseSync(join(rig.service.dataDir, 'countersign.db'), { timeout: 5_000 });
    database
      .prepare('UPDATE verification SET expires_at = created_at WHERE id = ?')
      .run(sid.replace('VE', 'ver_'));
    database.close();
    assert.deepEqual(await codesOf(check(to, code)), [404, 20404]);
  });

  test('a verification is fetched and canceled', async () => {
    const { send, check, service } = connect();
    const to = freshNumber();
    const { sid } = await send(to);
    const code = await codeOf(to, sid);
    const found = await service.verifications(sid).fetch();
    assert.deepEqual([found.sid, found.status, found.to, found.valid], [sid, 'pending', to, false]);
    assert.deepEqual(
      found.sendCodeAttempts.map(({ channel }) => channel),
      ['SMS'],
    );
    assert.deepEqual(await codesOf(service.verifications(sid).update({ status: 'approved' })), [403, 60204]);
    const canceled = await service.verifications(sid).update({ status: 'canceled' });
    assert.deepEqual([canceled.sid, canceled.status, canceled.valid], [sid, 'canceled', false]);
    assert.deepEqual(await codesOf(check(to, code)), [404, 20404]);
    assert.deepEqual(await codesOf(service.verifications(sid).update({ status: 'canceled' })), [404, 20404]);
    assert.deepEqual(await codesOf(service.verifications(`VE${'0'.repeat(32)}`).fetch()), [404, 20404]);
    assert.deepEqual(await codesOf(service.verifications('nonsense').fetch()), [404, 20404]);
  });

  test('what is refused has Twilio’s status and code, and no number in it', async () => {
    const { send, check } = connect();
    const to = freshNumber();
    const restricted = await account.createKey({ channels: ['voice'] });
    const refused: readonly (readonly [() => Promise<unknown>, number, number])[] = [
      [() => send('+4915'), 400, 60200],
      [() => send('someone@example.com'), 400, 60200],
      [() => send('sip:alice@example.com', 'call'), 400, 60200],
      [() => send(LANDLINE), 403, 60205],
      [() => send('+881612345678'), 403, 60605],
      [() => send(to, 'email'), 400, 60200],
      [() => send(to, 'telegram'), 400, 60200],
      [() => send(to, 'sms', { amount: '10', payee: 'Acme' }), 403, 60204],
      [() => send(to, 'call', { sendDigits: 'abc' }), 400, 60200],
      [() => check('nobody', '123456'), 400, 60200],
      [() => check(to, '1'.repeat(65)), 400, 60200],
      [() => connect('not a key').send(to), 401, 20003],
      [() => connect(`csk_live_${'x'.repeat(40)}`).send(to), 401, 20003],
      [() => connect(restricted).send(to), 400, 60223],
    ];
    for (const [call, status, code] of refused) {
      const [gotStatus, gotCode, message] = await failure(call());
      assert.deepEqual([gotStatus, gotCode], [status, code], message);
      assert.doesNotMatch(message.replace('+14155550123', ''), /\d{5}|alice|someone/);
    }
  });

  test('a number that its country has changed is refused with the rule of the change', async () => {
    const [status, code, message] = await failure(connect().send('+22997123456'));
    assert.deepEqual([status, code], [400, 60200]);
    assert.match(message, /since 2024, numbers of Benin are 01 and the eight digits of before/);
  });

  test('auto is an SMS, digits to send are an extension, and what has no meaning here is ignored', async () => {
    const { send, check } = connect();
    const to = freshNumber();
    const more = { customFriendlyName: 'Acme', riskCheck: 'disable', rateLimits: { ip: '1' } };
    assert.equal((await send(to, 'auto', more)).channel, 'sms');
    const called = await send(LANDLINE, 'call', { sendDigits: 'ww12' });
    assert.equal(called.to, LANDLINE);
    const code = await codeOf(`tel:${LANDLINE};ext=12`, called.sid);
    assert.equal((await check(LANDLINE, code)).status, 'approved');
  });

  test('WhatsApp and RCS are channels where routes serve them, and the library is told so by its own name', async () => {
    const { send, check, service } = connect();
    for (const channel of ['whatsapp', 'rcs']) {
      const to = freshNumber();
      const sent = await send(to, channel);
      assert.deepEqual([sent.channel, sent.status, sent.to], [channel, 'pending', to]);
      const found = await service.verifications(sent.sid).fetch();
      assert.deepEqual([found.channel, found.sendCodeAttempts[0]?.channel], [channel, channel.toUpperCase()]);
      const approved = await check(to, await codeOf(to, sent.sid));
      assert.deepEqual([approved.status, approved.channel, approved.sid], ['approved', channel, sent.sid]);
    }
    const [status, code, message] = await failure(send(freshNumber(), 'telegram'));
    assert.deepEqual([status, code], [400, 60200]);
    assert.match(message, /expected sms, call, whatsapp, rcs or auto$/);
  });

  test('locale, tags and the person’s address go with the code', async () => {
    const { send } = connect();
    const to = freshNumber();
    const { sid } = await send(to, 'sms', {
      ...{ locale: 'fr', tags: JSON.stringify({ order: '4711' }), deviceIp: '203.0.113.9' },
      appHash: 'FA+9qCX9VSu',
    });
    const id = sid.replace('VE', 'ver_');
    const { text } = await rig.service.client.message(to, id, { key });
    assert.match(text, /Votre|code/i);
    assert.match(text, /FA\+9qCX9VSu/);
    const found = await rig.service.client.get(`/verifications/${id}`, { key });
    assert.deepEqual(JSON.parse(found.text).metadata, { order: '4711' });
    const traditional = await send(to, 'sms', { locale: 'zh-HK' });
    const sent = await rig.service.client.message(to, traditional.sid.replace('VE', 'ver_'), { key });
    assert.match(sent.text, /驗證碼/);
    for (const more of [
      { locale: '-' },
      { tags: '[]' },
      { tags: '{' },
      { tags: '{"a":1}' },
      { deviceIp: 'x' },
    ]) {
      assert.deepEqual(await codesOf(send(to, 'sms', more)), [400, 60200]);
    }
    assert.deepEqual(await codesOf(send(to, 'sms', { appHash: 'short' })), [400, 60200]);
  });

  test('a code of the app’s own is for keys that may bring codes, and is approved on its word', async () => {
    const to = freshNumber();
    assert.deepEqual(await codesOf(connect().send(to, 'sms', { customCode: '482913' })), [403, 60204]);
    const brings = connect(await account.createKey({ customCodes: true }));
    const first = await brings.send(to, 'sms', { customCode: '482913' });
    assert.equal((await brings.check(to, '482913')).status, 'approved');
    assert.deepEqual(await codesOf(brings.service.verifications(first.sid).fetch()), [404, 20404]);
    const second = await brings.send(to, 'sms', { customCode: '482914' });
    const verification = brings.service.verifications(second.sid);
    const approved = await verification.update({ status: 'approved' });
    assert.deepEqual([approved.sid, approved.status, approved.valid], [second.sid, 'approved', true]);
    assert.deepEqual(await codesOf(verification.update({ status: 'approved' })), [404, 20404]);
    assert.deepEqual(await codesOf(brings.check(to, '482914')), [404, 20404]);
  });

  test('the sixth send within ten minutes is one too many', async () => {
    const { send } = connect();
    const to = freshNumber();
    for (let i = 0; i < 5; i++) await send(to);
    assert.deepEqual(await codesOf(send(to)), [429, 60203]);
  });

  test('test keys have their magic numbers', async () => {
    const testKey = await account.createKey({ test: true });
    const { send } = connect(testKey);
    assert.deepEqual(await codesOf(send('+15005550006')), [429, 60203]);
    assert.deepEqual(await codesOf(send('+15005550005')), [403, 60605]);
  });

  test('of 500 checks at once with the right code exactly one is approved', async () => {
    const { send, check } = connect();
    const to = freshNumber();
    const { sid } = await send(to);
    const code = await codeOf(to, sid);
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, () =>
        check(to, code).then(
          ({ status }) => status,
          (error) => error.code,
        ),
      ),
    );
    const counts = Map.groupBy(outcomes, (outcome) => outcome);
    assert.deepEqual([...counts].map(([outcome, each]) => [outcome, each.length]).sort(), [
      [20404, 499],
      ['approved', 1],
    ]);
  });

  test('a body that is no form, too large or not in UTF-8, and an unknown path', async () => {
    const { client } = rig.service;
    const authorization = `Basic ${Buffer.from(`${ACCOUNT}:${key}`).toString('base64')}`;
    const path = `/twilio/v2/Services/${SERVICE}/Verifications`;
    const form = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const answers = [
      await client.post(path, { To: '+49' }, { headers: { authorization }, key: null }),
      await client.post(path, undefined, { headers: form, raw: `To=${'1'.repeat(20_000)}`, key: null }),
      await client.post(path, undefined, { headers: form, raw: Buffer.from([0x54, 0xff]), key: null }),
      await client.get('/twilio/v2/Services', { headers: { authorization }, key: null }),
      await client.get(`${path}/x`, { key: null }),
      await client.get(`${path}/x`, { headers: { authorization: 'Basic %%%' }, key: null }),
    ];
    const shown = answers.map(({ status, text }) => [status, JSON.parse(text).code, JSON.parse(text).status]);
    assert.deepEqual(shown, [
      [400, 60200, 400],
      [400, 60200, 400],
      [400, 60200, 400],
      [404, 20404, 404],
      [401, 20003, 401],
      [401, 20003, 401],
    ]);
  });
});
