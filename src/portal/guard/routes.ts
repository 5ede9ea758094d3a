/** /portal/api/accounts/:account/guard: what the guard did, and the operator's own rules. Members look, developers try, owners change. */
import { findSettings } from '../../accounts/settings.ts';
import { memberOf } from '../../identity/access.ts';
import { parseSpan } from '../../operations/instant.ts';
import { refuseBusy, refuseField, refuseFields } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import {
  Backtest,
  BacktestAnswer,
  Evidence,
  EvidenceQuery,
  GuardView,
  RefusalPage,
  RefusalQuery,
} from './contract.ts';
import { readEvidence, readGuard, readRefusals } from './reading.ts';

export const guard = {
  readGuard: operation({
    summary: 'Read what the guard refuses',
    description:
      'The last day by place and rule, what was saved by day, the places that are closed, and what happened.',
    response: { 200: GuardView },
    handler: async (request, { clock, records, defaults }) => {
      const { accountId } = memberOf(request);
      const [found, view] = await Promise.all([
        findSettings(records, accountId),
        readGuard(records, accountId, clock.wall()),
      ]);
      const mode = { account: found?.settings.guard ?? null, service: defaults.guard.mode };
      return { mode, currency: defaults.currency, ...view };
    },
  }),

  listRefusals: operation({
    summary: 'List the requests that the guard refused',
    description:
      'Newest first, fifty at a time. Of a flood, a hundred a second are kept. Numbers are ranges.',
    querystring: RefusalQuery,
    response: { 200: RefusalPage },
    handler: async (request, { records }) => {
      const span = parseSpan(request.query);
      if (!span.ok) return refuseFields(span.errors);
      return readRefusals(records, memberOf(request).accountId, span, request.query);
    },
  }),

  readEvidence: operation({
    summary: 'Read the evidence at a place over the last day',
    description: 'In steps of five minutes. Only for places where this account was refused.',
    querystring: EvidenceQuery,
    response: { 200: Evidence },
    handler: (request, { clock, records }) =>
      readEvidence(records, memberOf(request).accountId, request.query.place, clock.wall()),
  }),

  backtestGuard: operation({
    summary: 'Try the guard on what the account has sent',
    description:
      'With a mode and a rule that need not be saved. Of up to 200,000 requests of the service, the oldest first. One at a time: while another one runs, it is refused.',
    body: Backtest,
    response: { 200: BacktestAnswer },
    problems: ['overloaded'],
    handler: async (request, { clock, lookup }) => {
      const tried = await lookup.tryGuard(memberOf(request).accountId, request.body, clock.wall());
      switch (tried.kind) {
        case 'tried':
          return tried.answer;
        case 'wrong':
          return refuseField('rule/value', tried);
        case 'busy':
          return refuseBusy();
      }
    },
  }),
};
