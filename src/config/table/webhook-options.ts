/** Options of webhooks. */
import Type from 'typebox';
import { group, text } from '../../options/fields.ts';

export const webhookOptions = group(
  'Webhooks, which tell accounts what happens. Their endpoints are in the store: see docs/webhooks.md.',
  {
    privateNetworks: Type.Array(text('A network such as 10.0.0.0/8, or an address.', { minLength: 1 }), {
      maxItems: 100,
      default: [],
      description:
        'Networks that endpoints may be in, other than the public Internet. Whoever may add endpoints can then make this service send requests there. If any are set, endpoints may have `http://` addresses, which are reached in these networks only.',
    }),
  },
);
