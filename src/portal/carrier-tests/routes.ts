/** /portal/api/accounts/:account/carriers/:carrier/test: one message over one carrier. .../carriers/tests: what became of them. */
import { TESTS_PER_ACCOUNT, TESTS_PER_INSTALLATION } from '../../accounts/carrier-tests.ts';
import { idempotencyHeaders, readRepeatable } from '../../http/idempotency-key.ts';
import { refuseRequest } from '../../http/refusal.ts';
import { memberOf } from '../../identity/access.ts';
import { Id } from '../../operations/contract.ts';
import { Refusal, refuse, refuseField, refuseFields, refuseUntil } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import { CarrierTestRequest, CarrierTestsView, CarrierTestView } from './contract.ts';

const TOO_MANY = `Nothing was sent. An account may send ${TESTS_PER_ACCOUNT} tests an hour, and all accounts together ${TESTS_PER_INSTALLATION}.`;

/** The form asks for a number. */
const nameOf = (field: string): string => (field === 'destination' ? 'number' : field);

export const carrierTests = {
  listCarrierTests: operation({
    summary: 'List the newest tests of carriers',
    description: 'At most ten, with what became of each. Numbers are masked.',
    response: { 200: CarrierTestsView },
    handler: (request, { lookup }) => lookup.carrierTests.list(memberOf(request).accountId),
  }),

  testCarrier: operation({
    summary: 'Send a test over one carrier',
    description: `Sends one real message over exactly this carrier, once. It costs what any message costs, and counts for limits and budgets; its code confirms nothing. ${TESTS_PER_ACCOUNT} an hour for an account, ${TESTS_PER_INSTALLATION} for the installation.`,
    params: { carrier: Id },
    body: CarrierTestRequest,
    response: { 200: CarrierTestView },
    requestHeaders: idempotencyHeaders('sends nothing'),
    problems: [
      ...(['asked-too-often', 'idempotency-in-progress', 'idempotency-key-reused'] as const),
      ...(['rate-limited', 'quota-exceeded', 'budget-exhausted', 'guarded'] as const),
    ],
    handler: async (request, { lookup }) => {
      const repeatable = readRepeatable(request);
      if (!repeatable.ok) return refuseFields(repeatable.errors);
      const { carrier } = request.params;
      const by = memberOf(request);
      const sent = await lookup.carrierTests.send(by, carrier, request.body, repeatable.idempotencyKey);
      switch (sent.kind) {
        case 'sent':
          return sent.test;
        case 'unknown':
          return refuse('not-found');
        case 'wrong':
          return refuseField(sent.field, sent.fault);
        case 'in-progress':
          return refuse('idempotency-in-progress');
        case 'mismatch':
          return refuse('idempotency-key-reused');
        case 'too-many':
          return refuseUntil(sent.retryAfterMs, 'asked-too-often', { detail: TOO_MANY });
        case 'refused':
          return new Refusal((reply) => refuseRequest(reply, sent.answer, nameOf));
      }
    },
  }),
};
