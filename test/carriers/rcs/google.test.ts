/** RCS for Business of Google: what is asked, sent and taken back. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { suite, test } from 'node:test';
import { createGoogleCarrier } from '../../../src/carriers/google/carrier.ts';
import { GOOGLE_ERRORS } from '../../../src/carriers/google/errors.ts';
import { messageIdOf } from '../../../src/carriers/google/message-id.ts';
import { google } from '../../../src/carriers/google/type.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import {
  type CarrierPorts,
  type Deadline,
  NOT_WANTED,
  OPERATORS_FAULT,
  type OutgoingMessage,
} from '../../../src/core/sending/carrier.ts';
import { carrierContract } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { answer, type Gateway, type GatewayRequest, reset, startGateway } from '../gateway.ts';
import { UNHEARD } from '../ports.ts';
import { ACCOUNT, AGENT, CLIENT_TOKEN, create, EMAIL, message, optionsOf, privateKey } from './google-rig.ts';

const ACCESS = 'ya29.access-token';
const token = answer(200, { access_token: ACCESS, expires_in: 3_599, token_type: 'Bearer' });
const able = answer(200, { features: ['RICHCARD_STANDALONE'] });
const accepted = (id: string, status = 200) =>
  answer(status, {
    name: `phones/+12025550123/agentMessages/${id}`,
    sendTime: '2026-11-30T10:00:00Z',
    contentMessage: { text: '...' },
  });
const refused = (code: number, status: string, headers = {}) =>
  answer(code, { error: { code, status, message: 'about +12025550123' } }, headers);

const isToken = (path: string) => path === '/token';
const asksFirst = (path: string) =>
  isToken(path) ? token : /\/capabilities\?/.test(path) ? able : undefined;

carrierContract({
  name: 'google',
  create,
  message,
  before: asksFirst,
  asksForReceipts: true,
  choosesReference: true,
  secrets: [privateKey, ACCESS, CLIENT_TOKEN],
  says: {
    accepted,
    permanent: [refused(404, 'NOT_FOUND'), refused(400, 'INVALID_ARGUMENT'), answer(400)],
    temporary: [
      answer(500),
      refused(503, 'UNAVAILABLE'),
      refused(404, 'SOMETHING_NEW'),
      refused(403, 'PERMISSION_DENIED'),
    ],
    unauthorised: refused(401, 'UNAUTHENTICATED'),
    throttled: (retryAfter) => refused(429, 'RESOURCE_EXHAUSTED', { 'retry-after': retryAfter }),
    acceptedStatus: 200,
  },
  unreadable: 'accepted',
  verify(request, { destination, id, text }) {
    const { pathname, searchParams } = new URL(request.url, 'https://rcsbusinessmessaging.googleapis.com');
    assert.deepEqual(
      [request.method, pathname, Object.fromEntries(searchParams)],
      [
        'POST',
        `/v1/phones/${destination.address}/agentMessages`,
        { messageId: messageIdOf(id), agentId: AGENT },
      ],
    );
    assert.equal(request.headers.authorization, `Bearer ${ACCESS}`);
    assert.deepEqual(JSON.parse(request.body), {
      contentMessage: { text },
      messageTrafficType: 'AUTHENTICATION',
      ttl: '1296000s',
    });
  },
});

test('every known error of the API', () =>
  assertErrorTable(GOOGLE_ERRORS, {
    create: (url, ports) => {
      const carrier = create(url, ports);
      return { ...carrier, submit: (sent, deadline) => carrier.submit(sent, deadline) };
    },
    message,
    // Whatever is asked: the token, the capabilities and the message itself are told apart elsewhere.
    refuse: (status) => (response) => {
      const { url = '' } = response.req;
      if (isToken(url)) return token(response);
      return refused(status === '999' ? 400 : 409, status)(response);
    },
    throttled: 'RESOURCE_EXHAUSTED',
    temporary: 'ABORTED CANCELLED DEADLINE_EXCEEDED INTERNAL UNAVAILABLE UNKNOWN',
    permanent: 'NOT_FOUND',
    unclear: 'INVALID_ARGUMENT',
    configuration: 'UNAUTHENTICATED UNIMPLEMENTED',
    coverage: 'FAILED_PRECONDITION PERMISSION_DENIED',
  }));

interface Sent {
  readonly gateway: Gateway;
  readonly carrier: ReturnType<typeof create>;
  send(more?: Partial<OutgoingMessage>, deadline?: Deadline): ReturnType<ReturnType<typeof create>['submit']>;
}

async function withGateway(
  use: (sent: Sent) => Promise<void>,
  more: object = {},
  ports: Partial<CarrierPorts> = {},
) {
  const gateway = await startGateway();
  const carrier = createGoogleCarrier('gateway', optionsOf(gateway.url, more), { ...UNHEARD, ...ports });
  const deadline = { signal: AbortSignal.timeout(20_000) };
  try {
    await use({
      ...{ gateway, carrier },
      send: async (given = {}, until = deadline) => carrier.submit({ ...message, ...given }, until),
    });
  } finally {
    await carrier.stop();
    await gateway.close();
  }
}

/** What was asked, in short. */
const asked = ({ requests }: Gateway) =>
  requests.map(({ method, url }) => `${method} ${/(token|capabilities|agentMessages)/.exec(url)?.[1]}`);
const queryOf = ({ url }: GatewayRequest) => new URL(url, 'https://example.com').searchParams;

suite('access tokens of a service account', () => {
  test('a signed JWT is exchanged once, and its token serves until shortly before its end', () => {
    let ahead = 0;
    const clock = { ...SYSTEM_CLOCK, steady: () => SYSTEM_CLOCK.steady() + ahead };
    return withGateway(
      async ({ gateway, send }) => {
        gateway.play(token, able, accepted('a'), able, accepted('b'), token, able, accepted('c'));
        await send();
        await send();
        ahead = 3_599_000 - 29_000;
        await send();
        const exchanges = gateway.requests.filter(({ url }) => isToken(url));
        assert.equal(exchanges.length, 2);
        const form = new URLSearchParams(exchanges[0]?.body);
        assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
        const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
        const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
        assert.deepEqual(read(head), { alg: 'RS256', typ: 'JWT', kid: 'key-1' });
        const { iat, exp, ...others } = read(claims);
        assert.deepEqual(others, {
          iss: EMAIL,
          scope: 'https://www.googleapis.com/auth/rcsbusinessmessaging',
          aud: `${gateway.url}/token`,
        });
        assert.equal(exp - iat, 3_600);
        const key = createPublicKey(privateKey);
        const bytes = Buffer.from(`${head}.${claims}`);
        assert.ok(verify('sha256', bytes, key, Buffer.from(signature, 'base64url')));
      },
      {},
      { clock },
    );
  });

  test('messages that come together share one question', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play((response) => (asksFirst(response.req.url ?? '') ?? accepted('a'))(response));
      await Promise.all(Array.from({ length: 20 }, () => send()));
      assert.equal(asked(gateway).filter((each) => each === 'POST token').length, 1);
    }));

  test('one whose question failed does not take the others with it', () =>
    withGateway(async ({ gateway, send }) => {
      let refusals = 1;
      gateway.play((response) => {
        const { url = '' } = response.req;
        if (isToken(url) && refusals-- > 0) return answer(503)(response);
        return (asksFirst(url) ?? accepted('a'))(response);
      });
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => send()));
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['temporary', 'accepted', 'accepted', 'accepted', 'accepted'],
      );
      assert.equal(asked(gateway).filter((each) => each === 'POST token').length, 2);
    }));

  test('a key that is refused is for the operator, and no message is sent', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play(answer(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }));
      const outcome = await send();
      assert.ok(outcome.kind === 'temporary' && outcome.reason.startsWith(`${OPERATORS_FAULT}invalid_grant`));
      assert.deepEqual(asked(gateway), ['POST token']);
    }));

  test('a token that the API refuses is not used again', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play(token, refused(401, 'UNAUTHENTICATED'), token, able, accepted('a'));
      assert.equal((await send()).kind, 'temporary');
      assert.equal((await send()).kind, 'accepted');
      const again = ['POST token', 'GET capabilities', 'POST agentMessages'];
      assert.deepEqual(asked(gateway), ['POST token', 'GET capabilities', ...again]);
    }));

  test('what is no key of a service account is refused, and not repeated', () => {
    const faultOf = (serviceAccount: string) =>
      google.findFault?.({ ...optionsOf('https://example.com'), serviceAccount }, {});
    assert.equal(faultOf(ACCOUNT), null);
    const secret = 'not-to-be-shown';
    for (const wrong of ['{}', `{"client_email":"${secret}"}`, `{"private_key":"${secret}"`])
      assert.equal(
        faultOf(wrong),
        'serviceAccount: not the key of a service account, with client_email and private_key',
      );
    const other = JSON.stringify({ client_email: 'a@example.com', private_key: secret });
    assert.equal(faultOf(other), 'serviceAccount.private_key: not an RSA private key in PEM');
  });
});

suite('asking Google first', () => {
  test('a telephone without RCS is sent no code, and the next channel has its turn', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play(token, refused(404, 'NOT_FOUND'));
      const outcome = await send();
      assert.ok(outcome.kind === 'permanent' && outcome.unclear === undefined);
      assert.deepEqual(asked(gateway), ['POST token', 'GET capabilities']);
      const [, capabilities] = gateway.requests;
      assert.ok(capabilities !== undefined);
      assert.match(capabilities.url, /^\/v1\/phones\/\+12025550123\/capabilities\?/);
      assert.equal(queryOf(capabilities).get('agentId'), AGENT);
      assert.match(queryOf(capabilities).get('requestId') ?? '', /^[0-9a-f-]{36}$/);
      assert.ok(!gateway.requests.some(({ body }) => body.includes(message.code)));
    }));

  test('a question whose answer is lost leaves no doubt: nothing was sent', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play(token, reset);
      const outcome = await send({ reserved: true });
      assert.ok(outcome.kind === 'temporary' && outcome.unclear === undefined);
    }));

  test('a message that another node has taken over meanwhile is not sent under the answer', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play(token, able, accepted('a'));
      const deadline: Deadline = {
        signal: AbortSignal.timeout(20_000),
        get wanted() {
          return gateway.requests.length < 2;
        },
      };
      assert.deepEqual(await send({}, deadline), NOT_WANTED);
      assert.deepEqual(asked(gateway), ['POST token', 'GET capabilities']);
    }));
});

suite('a message of Google', () => {
  test('one that is sent again has the same id, and another has another', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play((response) => (asksFirst(response.req.url ?? '') ?? accepted('a'))(response));
      for (const id of ['ver_1', 'ver_1', 'ver_2']) await send({ id });
      const ids = gateway.requests.flatMap((each) => queryOf(each).get('messageId') ?? []);
      assert.equal(ids[0], ids[1]);
      assert.notEqual(ids[1], ids[2]);
      for (const id of ids)
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }));

  test('it lives as long as its code, because it is taken back when the next channel goes', () =>
    withGateway(async ({ gateway, send }) => {
      gateway.play((response) => (asksFirst(response.req.url ?? '') ?? accepted('a'))(response));
      const now = Date.now();
      const lives = [
        { expiresAt: now + 600_000 },
        { expiresAt: now + 600_000, replacedAt: now + 30_000 },
        { expiresAt: now + 20_000, replacedAt: now + 30_000 },
        { expiresAt: now + 5_000 },
      ];
      for (const life of lives) await send(life);
      const ttls = gateway.requests
        .filter(({ url }) => url.includes('agentMessages'))
        .map(({ body }) => Number.parseInt(JSON.parse(body).ttl, 10));
      for (const [index, most] of [600, 600, 20, 10].entries()) {
        const ttl = ttls[index] ?? 0;
        assert.ok(ttl <= most && ttl >= Math.max(10, most - 15), `${ttl} of ${most}`);
      }
    }));

  test('each country may have an agent of its own', () =>
    withGateway(
      async ({ gateway, send }) => {
        gateway.play((response) => (asksFirst(response.req.url ?? '') ?? accepted('a'))(response));
        await send();
        await send({ destination: { ...message.destination, country: 'DE' } });
        const agents = gateway.requests.flatMap((each) => queryOf(each).get('agentId') ?? []);
        assert.deepEqual(agents, [AGENT, AGENT, 'acme_de', 'acme_de']);
      },
      { senders: { DE: 'acme_de' } },
    ));

  test('taking it back asks for its id, and does not know whether it was in time', () =>
    withGateway(async ({ gateway, carrier }) => {
      const { id, destination } = message;
      const revoke = (reference: string | null, channel: 'rcs' | 'sms' = 'rcs') =>
        carrier.revoke?.({ id, destination, channel, reference }, AbortSignal.timeout(20_000));
      gateway.play(token, answer(200, {}), answer(200, {}), refused(500, 'INTERNAL'), reset);
      assert.equal(await revoke('r-1'), 'unless-arriving');
      assert.equal(await revoke(null), 'unless-arriving');
      assert.equal(await revoke('r-1'), 'unknown');
      assert.equal(await revoke('r-1'), 'unknown');
      assert.equal(revoke('r-1', 'sms'), undefined);
      const [, first, second] = gateway.requests;
      assert.deepEqual(
        [first?.method, first?.url, first?.headers.authorization],
        ['DELETE', `/v1/phones/+12025550123/agentMessages/r-1?agentId=${AGENT}`, `Bearer ${ACCESS}`],
      );
      assert.ok(second?.url.includes(`/agentMessages/${messageIdOf(id)}?`));
    }));

  test('taking it back with a token that is not taken any more is tried with another, once', () =>
    withGateway(async ({ gateway, carrier }) => {
      const { id, destination } = message;
      const revoke = () =>
        carrier.revoke?.({ id, destination, channel: 'rcs', reference: 'r-1' }, AbortSignal.timeout(20_000));
      const gone = refused(401, 'UNAUTHENTICATED');
      gateway.play(token, gone, token, answer(200, {}));
      assert.equal(await revoke(), 'unless-arriving');
      assert.deepEqual(
        gateway.requests.map(({ method }) => method),
        ['POST', 'DELETE', 'POST', 'DELETE'],
      );
      gateway.play(gone, token, gone);
      assert.equal(await revoke(), 'unknown');
      assert.equal(gateway.requests.length, 7);
      gateway.play(token, answer(200, {}));
      assert.equal(await revoke(), 'unless-arriving');
    }));
});
