import type { Me, PortalState, Sessions, TotpSecret } from '../../src/portal/contract/session.ts';
import { ago, type Handler, ok, Refusal } from './answer.ts';

const me: Me = {
  id: 'per_1',
  name: 'Maria Lind',
  email: 'maria@example.com',
  has_password: true,
  totp: false,
  recovery_codes_left: 8,
  passkeys: [{ id: 'pk_1', name: 'Work laptop', created_at: ago(90_000), last_used_at: ago(50) }],
  identities: [
    {
      id: 'idn_1',
      issuer: 'https://accounts.google.com',
      created_at: ago(40_000),
      last_used_at: ago(900),
    },
  ],
  accounts: [
    { id: 'default', name: 'default', role: 'owner' },
    { id: 'acme', name: 'Acme staging', role: 'viewer' },
    { id: 'empty', name: 'Nothing yet', role: 'owner' },
  ],
};
let signedOn = true;
let proven = false;
const CODES = Array.from({ length: 10 }, (_, n) => `k${n}f3-9q2w-xv7${n}`);

export const session: Readonly<Record<string, Handler>> = {
  'GET state': () => ok<PortalState>({ setup_needed: false, oidc: [{ name: 'google', label: 'Google' }] }),
  // Every second time it succeeds.
  'GET oidc/:name': () => {
    signedOn = !signedOn;
    return signedOn ? { location: '/portal/', cookie: 'in' } : { location: '/portal/sign-in?sso=unverified' };
  },
  'POST setup': () => ({ cookie: 'in' }),
  'POST reset': () => ({ cookie: 'in' }),
  'POST session': ({ body }) => {
    if (body.password === 'wrong')
      throw new Refusal(401, 'That is not right', 'Address or password is wrong.');
    if (body.email === 'totp@example.com') return ok({ next: 'second-factor' });
    return { body: { next: 'signed-in' }, cookie: 'in' };
  },
  'POST session/second-factor': () => ({ cookie: 'in' }),
  'DELETE session': () => ({ cookie: 'out' }),
  'GET me': () => ok<Me>(me),
  'POST me/password': () => ({}),
  'POST me/proof': ({ body }) => {
    if (body.password === 'wrong') {
      throw new Refusal(400, 'The request is invalid', 'The password is not right.', [
        { field: 'password', detail: 'is not your password' },
      ]);
    }
    proven = true;
    return {};
  },
  'POST me/totp': () =>
    ok<TotpSecret>({
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Countersign:maria@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Countersign',
    }),
  'POST me/totp/confirm': ({ body }) => {
    if (body.code === '000000') {
      throw new Refusal(400, 'The request is invalid', 'The code is not right.', [
        { field: 'code', detail: 'is not what the app shows now' },
      ]);
    }
    me.totp = true;
    return ok({ recovery_codes: CODES });
  },
  'DELETE me/totp': () => {
    me.totp = false;
    return {};
  },
  'POST me/recovery-codes': () => {
    if (!proven) throw new Refusal(403, 'Prove that it is you', 'Give your password.', [], 'proof-needed');
    return ok({ recovery_codes: CODES });
  },
  'DELETE me/passkeys/:id': () => {
    me.passkeys = [];
    return {};
  },
  'DELETE me/identities/:id': () => {
    me.identities = [];
    return {};
  },
  'GET me/sessions': () =>
    ok<Sessions>([
      {
        id: 's1',
        current: true,
        created_at: ago(60),
        last_used_at: ago(0.1),
        address: '192.0.2.7',
        agent: 'Chrome on Linux',
        method: 'passkey',
      },
      {
        id: 's2',
        current: false,
        created_at: ago(5000),
        last_used_at: ago(700),
        address: '198.51.100.20',
        agent: 'Safari on iPhone',
        method: 'password+totp',
      },
    ]),
  'DELETE me/sessions/:id': () => ({}),
  'DELETE me/sessions': () => ({ cookie: 'out' }),
};
