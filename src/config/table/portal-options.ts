/** Options of the web portal. */
import Type from 'typebox';
import { group, secret, text } from '../../options/fields.ts';

const newcomers = group('One rule.', {
  domains: Type.Array(
    text('A domain.', {
      pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
      expected: 'a domain in lower case such as example.com',
    }),
    {
      minItems: 1,
      description:
        'Domains of e-mail addresses. They match exactly: `example.com` does not include `sub.example.com`.',
    },
  ),
  account: text('The name of the account that they join. Until it exists, nobody is admitted.', {
    minLength: 1,
    maxLength: 80,
    default: 'default',
  }),
  role: Type.Enum(['viewer', 'developer'], {
    default: 'viewer',
    description: 'Their role there. Only an owner can make somebody an owner.',
  }),
});

const provider = group('One provider.', {
  issuer: text(
    'Address of the provider. Its discovery document is below it at `/.well-known/openid-configuration`. `http` is allowed only on this machine.',
    {
      pattern: '^https?://[^\\s?#@]+$',
      expected:
        'the address of the provider such as https://accounts.google.com, as in its discovery document',
    },
  ),
  clientId: text('Id of this service at the provider.', { minLength: 1, maxLength: 255 }),
  clientSecret: Type.Optional(
    secret('Secret of this service at the provider. Leave it out for a public client.', { maxLength: 1_000 }),
  ),
  label: Type.Optional(
    text('Text of the button after "Sign in with". By default the name above.', {
      minLength: 1,
      maxLength: 40,
    }),
  ),
  scopes: Type.Array(text('A scope.', { pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', expected: 'a scope' }), {
    minItems: 1,
    maxItems: 20,
    default: ['openid', 'email', 'profile'],
    description: 'Scopes to request.',
  }),
  verifiedClaim: text(
    'The claim with which the provider confirms that the e-mail address belongs to the person. Entra ID uses `xms_edov`.',
    { minLength: 1, maxLength: 100, default: 'email_verified' },
  ),
  newcomers: Type.Array(newcomers, {
    maxItems: 50,
    default: [],
    description:
      'Who may join besides members and invited people: people with a verified address in these domains. Nobody by default.',
  }),
});

export const portalOptions = group('The web portal.', {
  oidc: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), provider, {
    default: {},
    description: 'Single sign-on providers (OpenID Connect), by a name of your choice. See docs/portal.md.',
  }),
});
