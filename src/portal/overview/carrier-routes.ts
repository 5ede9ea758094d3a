/** GET /portal/api/accounts/:account/carriers: how the carriers fare just now. */
import { memberOf } from '../access.ts';
import { AccountPath } from '../conventions.ts';
import { operation } from '../operation.ts';
import { CarrierHealth } from './contract.ts';

export const carrierHealth = {
  readCarrierHealth: operation(
    {
      operationId: 'readCarrierHealth',
      summary: 'Read how the carriers fare',
      description:
        'What the installation sees of each, and what became of the messages of this account in the last hour.',
      params: AccountPath,
      response: { 200: CarrierHealth },
    },
    (request, _reply, { lookup }) => lookup.readCarrierHealth(memberOf(request).accountId),
  ),
};
