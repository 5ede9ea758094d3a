import type { AuditLog, Invitation, InvitationLink, Members } from '../../src/portal/contract/people.ts';
import type { SettingsView } from '../../src/portal/contract/settings.ts';
import { ago, type Handler, ok, Refusal } from './answer.ts';

const settings: SettingsView = {
  settings: {
    name: 'default',
    brand: 'Acme',
    locale: null,
    code_length: null,
    sends_per_destination: null,
    failed_guesses_per_destination: ['5/1h'],
    countries: ['GB', 'FR'],
  },
  defaults: {
    brand: 'Countersign',
    locale: null,
    code_length: 6,
    sends_per_destination: ['5/10m', '20/1d'],
    failed_guesses_per_destination: ['10/1h'],
    locales: ['en', 'de', 'fr', 'es', 'ar'],
  },
};

export const people: Readonly<Record<string, Handler>> = {
  'POST accounts': ({ body }) => ok({ id: 'default', name: body.name, role: 'owner' }),
  'POST invitations/look': () =>
    ok<Invitation>({ account: 'Acme staging', email: 'sam@example.com', role: 'developer', known: false }),
  'POST invitations/accept': () => ({ body: { next: 'signed-in' }, cookie: 'in' }),
  'GET accounts/:account/members': () =>
    ok<Members>({
      members: [
        {
          id: 'per_1',
          name: 'Maria Lind',
          email: 'maria@example.com',
          role: 'owner',
          since: ago(200_000),
          two_factor: true,
        },
        {
          id: 'per_2',
          name: 'Joseph Okonkwo-Featherstonehaugh',
          email: 'joseph.okonkwo-featherstonehaugh@subsidiary.example.com',
          role: 'developer',
          since: ago(9000),
          two_factor: false,
        },
      ],
      invitations: [
        {
          id: 'inv_1',
          email: 'sam@example.com',
          role: 'viewer',
          created_at: ago(60),
          expires_at: ago(-4000),
        },
      ],
    }),
  'PATCH accounts/:account/members/:id': ({ params }) => {
    if (params.id === 'per_1')
      throw new Refusal(409, 'The last owner stays', 'Make somebody else an owner first.');
    return {};
  },
  'DELETE accounts/:account/members/:id': () => ({}),
  'POST accounts/:account/invitations': () =>
    ok<InvitationLink>({
      id: 'inv_2',
      link: 'https://localhost:8443/portal/invitation#pJx8s0Yq2m4Zt1vB7nR3cK6wE9hL5uA0dFgT',
      expires_at: ago(-4320),
    }),
  'DELETE accounts/:account/invitations/:id': () => ({}),
  'GET accounts/:account/audit': ({ params, query }) =>
    ok<AuditLog>({
      entries:
        params.account === 'empty'
          ? []
          : Array.from({ length: 30 }, (_, n) => ({
              id: `${query.get('before') ?? 'a'}${n}`,
              at: ago(n * 97 + 3),
              who: n % 5 === 0 ? 'command line' : 'Maria Lind',
              address: n % 5 === 0 ? null : '192.0.2.7',
              action: ['key.created', 'key.revoked', 'member.invited', 'number.revealed'][n % 4] ?? '',
              subject:
                [
                  'Checkout, csk_live_AbC3dE7f',
                  'Old, csk_live_Zz91kQ2m',
                  'sam@example.com',
                  'ver_019a0c5e7d2f',
                ][n % 4] ?? '',
              detail: n % 4 === 0 ? 'live, from 192.0.2.0/24' : '',
            })),
      next: query.has('before') || params.account === 'empty' ? null : 'b',
    }),
  'GET accounts/:account/settings': () => ok<SettingsView>(settings),
  'PUT accounts/:account/settings': ({ body }) => {
    if (body.brand === 'bad') {
      throw new Refusal(400, 'The request is invalid', 'One or more fields are invalid.', [
        { field: 'brand', detail: 'must not be bad' },
      ]);
    }
    Object.assign(settings.settings, body);
    return {};
  },
};
