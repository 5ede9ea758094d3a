/** GET /portal/api/accounts/:account/carriers: the state of the carriers. */
import { memberOf } from '../access.ts';
import { AccountPath } from '../conventions.ts';
import { operation } from '../operation.ts';
import { CarrierHealth } from './contract.ts';

export const carrierHealth = {
  readCarrierHealth: operation(
    {
      operationId: 'readCarrierHealth',
      summary: 'Read the state of the carriers',
      description:
        'What the installation sees of each carrier, and what happened to this account’s messages in the last hour.',
      params: AccountPath,
      response: { 200: CarrierHealth },
    },
    (request, _reply, { lookup }) => lookup.readCarrierHealth(memberOf(request).accountId),
  ),
};
