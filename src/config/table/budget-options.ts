/** Options of one budget. */
import Type from 'typebox';
import { BUDGET_HOLDERS, PERIODS } from '../../core/budgets/budget.ts';
import { amount, group, integer, text } from '../../options/fields.ts';

export const budgetOptions = group('One budget.', {
  of: Type.Enum([...BUDGET_HOLDERS], {
    description:
      'Whose budget it is. `installation` is one for all; of accounts, keys, countries and routes each has one of its own.',
  }),
  per: Type.Enum([...PERIODS], { description: 'The hour, day or month (UTC) that it is for.' }),
  money: Type.Optional(amount('What messages may cost in it, in `currency`.', 1_000_000_000)),
  messages: Type.Optional(
    integer(
      'How many messages there may be in it. One that several carriers are asked to send is one.',
      [1, 1_000_000_000],
    ),
  ),
  only: Type.Optional(
    text('Only for this one: a country such as DE, or the id of an account or a key.', { minLength: 1 }),
  ),
  worstPrice: Type.Optional(
    amount(
      'What one segment of an SMS, or one call, is taken to cost where the carrier has no price for the country. Without it such messages are refused.',
      1_000,
    ),
  ),
});
