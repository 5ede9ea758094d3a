/** Options of the web portal. */
import Type from 'typebox';
import { group, secret } from '../options/fields.ts';

const newcomers = group('One rule.', {
  domains: Type.Array(
    Type.String({
      pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
      expected: 'a domain in small letters such as example.com',
      description: 'A domain.',
    }),
    {
      minItems: 1,
      description: 'Domains of e-mail addresses, each exactly: `example.com` is not `sub.example.com`.',
    },
  ),
  account: Type.String({
    minLength: 1,
    maxLength: 80,
    default: 'default',
    description:
      'The name of the account that they become members of. Until there is one, nobody is admitted to it.',
  }),
  role: Type.Enum(['viewer', 'developer'], {
    default: 'viewer',
    description: 'Their role there. Owners are made by owners.',
  }),
});

const provider = group('One provider.', {
  issuer: Type.String({
    pattern: '^https?://[^\\s?#@]+$',
    expected:
      'the address of the provider such as https://accounts.google.com, as its discovery document has it',
    description:
      'The provider; its discovery document is at `/.well-known/openid-configuration` below. `http` is for this machine alone.',
  }),
  clientId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'What the provider calls this service.',
  }),
  clientSecret: Type.Optional(
    secret({
      maxLength: 1_000,
      description: 'What this service shows to be that. None for a public client.',
    }),
  ),
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'What the button says after "Sign in with". The name above when absent.',
    }),
  ),
  scopes: Type.Array(
    Type.String({
      pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
      expected: 'a scope',
      description: 'A scope.',
    }),
    {
      minItems: 1,
      maxItems: 20,
      default: ['openid', 'email', 'profile'],
      description: 'What the provider is asked for.',
    },
  ),
  verifiedClaim: Type.String({
    minLength: 1,
    maxLength: 100,
    default: 'email_verified',
    description:
      'The claim by which the provider says that the e-mail address is really the person’s. Entra ID says it in `xms_edov`.',
  }),
  newcomers: Type.Array(newcomers, {
    maxItems: 50,
    default: [],
    description:
      'Who is admitted besides those who are known: people with a verified address of these domains. Nobody by default.',
  }),
});

export const portalOptions = group('The web portal.', {
  oidc: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), provider, {
    default: {},
    description:
      'Providers of single sign-on (OpenID Connect), by a name of your choice. See docs/portal.md.',
  }),
});
