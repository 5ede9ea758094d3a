/** Options of alerts, and of the server that mail is sent with. */
import Type from 'typebox';
import { type RuleName, ruleOf } from '../../core/alerts/rule.ts';
import { flag, group, integer, secret, text } from '../../options/fields.ts';

const ADDRESS = {
  pattern: '^[^\\s@<>,;:"()\\[\\]\\\\]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$',
  maxLength: 254,
  expected: 'an address such as ops@example.com',
};

export const smtpOptions = group('The server that mail is sent with. Without it none is.', {
  host: text('Its host name.', {
    pattern: '^[A-Za-z0-9._:-]+$',
    expected: 'a host name such as smtp.example.com',
  }),
  port: integer('Its port: usually 587 for `starttls`, 465 for `tls`.', [1, 65_535], 587),
  encryption: Type.Enum(['starttls', 'tls', 'none'], {
    default: 'starttls',
    description:
      '`starttls`: refused if the server does not offer it. `tls`: from the first byte. `none`: only for a server on this machine.',
  }),
  user: Type.Optional(text('User, if it asks for one.', { minLength: 1, maxLength: 255 })),
  password: Type.Optional(secret('Their password.', { maxLength: 1_000 })),
  from: text('Address that mail comes from.', ADDRESS),
});

/** A number is its threshold, `false` switches it off. */
function wish(name: RuleName) {
  const { title, means, threshold } = ruleOf(name);
  const about = `${title}. ${means}`;
  if (threshold === undefined) return Type.Optional(Type.Boolean({ description: about }));
  const { least, most, whole, unit, usual } = threshold;
  const preset = usual === null ? 'Off by default.' : `N is ${usual} by default.`;
  const bounds = { minimum: least, maximum: most, description: unit };
  const number = whole ? Type.Integer(bounds) : Type.Number(bounds);
  return Type.Optional(
    Type.Union([Type.Boolean(), number], {
      description: `${about} ${preset}`,
      expected: `true, false, or a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
    }),
  );
}

export const alertOptions = group(
  'Alerts, which are shown in the portal and told to the places named here and by accounts. See docs/alerts.md.',
  {
    email: Type.Array(text('An address.', ADDRESS), {
      maxItems: 20,
      default: [],
      description: 'Addresses that are told. Needs `smtp`.',
    }),
    webhook: Type.Optional(
      group('A webhook that is told. Its body has a `text`, which Slack and Mattermost show.', {
        url: secret('Its address, which for a chat is a secret itself.', {
          maxLength: 2_000,
          expected: 'an address such as https://hooks.slack.com/services/...',
        }),
        secret: Type.Optional(
          secret('Signs what is sent (Standard Webhooks). Without it nothing is signed.', {
            pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$',
            expected: '`whsec_` and at least 24 bytes in base64',
          }),
        ),
      }),
    ),
    accounts: flag('Whether these places are also told of what concerns one account.', true),
    rules: group('When alerts fire. A number is `N`; `false` switches a rule off.', {
      conversionFell: wish('conversion-fell'),
      carrierDown: wish('carrier-down'),
      spendHigh: wish('spend-high'),
      spendOver: wish('spend-over'),
      budgetReached: wish('budget-reached'),
      guardActing: wish('guard-acting'),
      queueLate: wish('queue-late'),
      certificateExpires: wish('certificate-expires'),
      signInsFailed: wish('sign-ins-failed'),
      ownerNew: wish('owner-new'),
      factorRemoved: wish('factor-removed'),
    }),
  },
);
