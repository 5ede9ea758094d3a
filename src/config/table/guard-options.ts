/** Options of the guard, and where nothing is sent to. */
import Type from 'typebox';
import { GUARD_MODES } from '../../core/guarding/guard-mode.ts';
import { group, text } from '../../options/fields.ts';

function ranges(description: string) {
  const prefix = text('The beginning of numbers.', {
    pattern: '^\\+[1-9][0-9]{0,14}$',
    expected: 'a prefix such as "+88216"',
  });
  return Type.Array(prefix, { default: [], maxItems: 10_000, description });
}

export const guardOptions = group('The guard against pumping, and what live keys may send to.', {
  mode: Type.Enum(GUARD_MODES, {
    default: 'enforce',
    live: true,
    description:
      'Whether the guard refuses messages that nobody would confirm (`enforce`), only records what it would refuse (`observe`), or judges nothing (`off`). Your own rules hold in every mode. Test keys and routes to the simulator are exempt. An account may have a mode of its own. See docs/guard.md.',
  }),
  countries: Type.Array(
    text('A country.', { pattern: '^[A-Z]{2}$', expected: 'two capital letters such as DE' }),
    {
      default: [],
      live: true,
      maxItems: 300,
      description:
        'The only countries that anything is sent to (ISO 3166 alpha-2; `ZZ` for destinations without a country, such as SIP URIs). List those that your users live in. An empty list allows all.',
    },
  ),
  neverSend: group(
    'Numbers that are never sent to: premium-rate, shared-cost and personal numbers, satellite and other international networks.',
    {
      allow: ranges(
        'Prefixes that are sent to nevertheless, such as `"+88216"`. The longest prefix that fits a number decides.',
      ),
      add: ranges('More prefixes that are never sent to.'),
    },
    { live: true },
  ),
});
