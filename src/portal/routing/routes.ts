/** /portal/api/accounts/:account/routing: carriers and routes as configured. .../explain: what would happen to a message. */
import { createAccountKeys } from '../../accounts/account-keys.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import { memberOf } from '../../identity/access.ts';
import { refuseField, refuseUntil } from '../../operations/refusal.ts';
import { isInUse } from '../keys/keys.ts';
import { operation } from '../operation.ts';
import { CountriesView, Question, RouteAnswer, RoutingView } from './contract.ts';

const NOT_A_KEY: FieldFault = {
  code: 'not_allowed_value',
  detail: 'must be the id of a live key of this account that is in use',
};

export const carriers = {
  readRouting: operation({
    summary: 'Read the carriers and routes in effect',
    description: 'Without what only the operator may see: addresses, names of users, secrets.',
    response: { 200: RoutingView },
    handler: (request, { lookup }) => lookup.carriers.view(memberOf(request).accountId),
  }),

  listCountries: operation({
    summary: 'List the countries that the service can send to',
    description:
      'With the channels and prices of the routes in effect, and the rules of the guard that stop a country. What the account allows is in its settings.',
    response: { 200: CountriesView },
    handler: (request, { lookup }) => lookup.carriers.viewCountries(memberOf(request).accountId),
  }),

  explainNumber: operation({
    summary: 'Say what would happen to a message, and why',
    description: 'Nothing is sent, and nothing is counted. At most thirty times a minute.',
    body: Question,
    response: { 200: RouteAnswer },
    problems: ['asked-too-often'],
    handler: async (request, { clock, lookup, records }) => {
      const { accountId } = memberOf(request);
      const now = clock.wall();
      const wait = lookup.carriers.pace.take(accountId);
      if (wait !== undefined) {
        return refuseUntil(wait, 'asked-too-often');
      }
      const { key: id } = request.body;
      const key =
        id === undefined ? undefined : await createAccountKeys(records, 'viewer').find(accountId, id);
      const mayAsk = key !== undefined && !key.test && isInUse(key, now);
      if (id !== undefined && !mayAsk) return refuseField('key', NOT_A_KEY);
      return lookup.carriers.explain(accountId, request.body, key);
    },
  }),
};
