/** Options of the web portal. */
import Type from 'typebox';
import { group, secret } from '../../options/fields.ts';

const newcomers = group('One rule.', {
  domains: Type.Array(
    Type.String({
      pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
      expected: 'a domain in lower case such as example.com',
      description: 'A domain.',
    }),
    {
      minItems: 1,
      description:
        'Domains of e-mail addresses. They match exactly: `example.com` does not include `sub.example.com`.',
    },
  ),
  account: Type.String({
    minLength: 1,
    maxLength: 80,
    default: 'default',
    description: 'The name of the account that they join. Until it exists, nobody is admitted.',
  }),
  role: Type.Enum(['viewer', 'developer'], {
    default: 'viewer',
    description: 'Their role there. Only an owner can make somebody an owner.',
  }),
});

const provider = group('One provider.', {
  issuer: Type.String({
    pattern: '^https?://[^\\s?#@]+$',
    expected: 'the address of the provider such as https://accounts.google.com, as in its discovery document',
    description:
      'Address of the provider. Its discovery document is below it at `/.well-known/openid-configuration`. `http` is allowed only on this machine.',
  }),
  clientId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Id of this service at the provider.',
  }),
  clientSecret: Type.Optional(
    secret({
      maxLength: 1_000,
      description: 'Secret of this service at the provider. Leave it out for a public client.',
    }),
  ),
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Text of the button after "Sign in with". By default the name above.',
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
      description: 'Scopes to request.',
    },
  ),
  verifiedClaim: Type.String({
    minLength: 1,
    maxLength: 100,
    default: 'email_verified',
    description:
      'The claim with which the provider confirms that the e-mail address belongs to the person. Entra ID uses `xms_edov`.',
  }),
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
