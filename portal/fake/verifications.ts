import type {
  Status,
  Verification,
  VerificationDetail,
  VerificationPage,
} from '../../src/portal/contract/verifications.ts';
import { ago, type Handler, ok, Refusal } from './answer.ts';

const STATUSES: readonly Status[] = ['confirmed', 'pending', 'confirmed', 'failed', 'expired', 'locked'];

const list: readonly Verification[] = Array.from({ length: 120 }, (_, n) => ({
  id: `ver_019a0c5e7d2f7b10a3c4d5e6f7a8${String(n).padStart(4, '0')}`,
  destination: n % 3 === 0 ? '+44••••••••23' : '+33•••••••41',
  channel: n % 7 === 0 ? 'voice' : 'sms',
  country: n % 3 === 0 ? 'GB' : 'FR',
  test: n % 10 === 0,
  status: STATUSES[n % STATUSES.length] ?? 'pending',
  carrier: n % 6 === 3 ? null : 'smsc',
  key: { id: 'key_1', name: 'Checkout, production' },
  requested_at: ago(n * 7 + 1),
  confirmed_at: n % 2 === 0 && n % 6 < 3 ? ago(n * 7 + 0.8) : null,
}));

function page(found: readonly Verification[], before: string | null): VerificationPage {
  const start = Number(before ?? 0);
  return {
    verifications: found.slice(start, start + 50),
    next: start + 50 < found.length ? String(start + 50) : null,
    searched_to: ago(40_000),
  };
}

function detail(id: string | undefined): VerificationDetail {
  const verification = list.find((one) => one.id === id);
  if (verification === undefined)
    throw new Refusal(404, 'No such verification', 'This account has none with that id.');
  const at = Date.parse(verification.requested_at);
  const after = (ms: number) => new Date(at + ms).toISOString();
  return {
    verification,
    expires_at: after(600_000),
    guesses_left: 4,
    guesses_used: verification.status === 'confirmed' ? 2 : 0,
    attempts: [
      {
        carrier: 'twilio',
        choice: 'it delivers most in France',
        started_at: after(4),
        ms: 812,
        outcome: 'temporary',
        reason: 'HTTP 503',
        cost: 0,
        receipt: null,
      },
      {
        carrier: 'smsc',
        choice: null,
        started_at: after(830),
        ms: 61,
        outcome: 'accepted',
        reason: null,
        cost: 0.041,
        receipt: { status: 'delivered', reason: null, at: after(3100) },
      },
    ],
  };
}

export const verifications: Readonly<Record<string, Handler>> = {
  'GET accounts/:account/verifications': ({ params, query }) =>
    ok(
      page(
        list.filter(
          (one) =>
            params.account !== 'empty' &&
            ['status', 'channel', 'country'].every(
              (name) =>
                !query.has(name) ||
                Object.entries(one).some(([field, value]) => field === name && value === query.get(name)),
            ),
        ),
        query.get('before'),
      ),
    ),
  'POST accounts/:account/verifications/search': ({ body }) =>
    ok(
      page(
        body.query === '+447700900123' ? list.slice(0, 2) : list.filter(({ id }) => id === body.query),
        null,
      ),
    ),
  'GET accounts/:account/verifications/:id': ({ params }) => ok(detail(params.id)),
  'POST accounts/:account/verifications/:id/reveal': () => ok({ destination: '+447700900123' }),
};
