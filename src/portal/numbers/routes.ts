/** POST /portal/api/accounts/:account/numbers/export and .../erase. */
import { memberOf } from '../../identity/access.ts';
import { refuseFields } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import { NumberErased, NumberErasure, NumberExport, NumberQuery } from './contract.ts';

export const numbers = {
  exportNumber: operation({
    summary: 'Read everything that is held about a number',
    description: 'For owners. The audit log records it. Ask again with `next` as `before` until it is null.',
    body: NumberQuery,
    response: { 200: NumberExport },
    handler: async (request, { lookup: { numbers } }) => {
      const found = await numbers.export(memberOf(request), request.body);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),

  eraseNumber: operation({
    summary: 'Erase everything that is held about a number',
    description:
      'For owners. It cannot be undone. The audit log records it. Ask again with `next` as `before` until it is null.',
    body: NumberErasure,
    response: { 200: NumberErased },
    handler: async (request, { lookup: { numbers } }) => {
      const found = await numbers.erase(memberOf(request), request.body);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),
};
