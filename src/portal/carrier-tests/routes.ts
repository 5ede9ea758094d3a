/** /portal/api/accounts/:account/carriers/:carrier/test: one message over one carrier. .../carriers/tests: what became of them. */
import { TESTS_PER_ACCOUNT, TESTS_PER_INSTALLATION } from '../../accounts/carrier-tests.ts';
import { idempotencyHeaders, readRepeatable } from '../../http/idempotency-key.ts';
import { sendProblem } from '../../http/problem.ts';
import { refuseRequest } from '../../http/refusal.ts';
import { memberOf } from '../access.ts';
import { refuseField } from '../conventions.ts';
import { operation } from '../operation.ts';
import { CarrierTest, CarrierTests, NewCarrierTest } from './contract.ts';

const TOO_MANY = `Nothing was sent. An account may send ${TESTS_PER_ACCOUNT} tests an hour, and all accounts together ${TESTS_PER_INSTALLATION}.`;

export const carrierTests = {
  listCarrierTests: operation({
    summary: 'List the newest tests of carriers',
    description: 'At most ten, with what became of each. Numbers are masked.',
    response: { 200: CarrierTests },
    handler: (request, _reply, { lookup }) => lookup.carrierTests.list(memberOf(request).accountId),
  }),

  testCarrier: operation<{ Params: { carrier: string }; Body: NewCarrierTest }>({
    summary: 'Send a test over one carrier',
    description: `Sends one real message over exactly this carrier, once. It costs what any message costs, and counts for limits and budgets; its code confirms nothing. ${TESTS_PER_ACCOUNT} an hour for an account, ${TESTS_PER_INSTALLATION} for the installation.`,
    body: NewCarrierTest,
    response: { 200: CarrierTest },
    requestHeaders: idempotencyHeaders('sends nothing'),
    problems: [
      ...(['asked-too-often', 'idempotency-in-progress', 'idempotency-key-reused'] as const),
      ...(['rate-limited', 'quota-exceeded', 'budget-exhausted', 'guarded'] as const),
    ],
    handler: async (request, reply, { lookup }) => {
      const repeatable = readRepeatable(request);
      if (!repeatable.ok) return sendProblem(reply, 'invalid-request', { errors: repeatable.errors });
      const { carrier } = request.params;
      const by = memberOf(request);
      const sent = await lookup.carrierTests.send(by, carrier, request.body, repeatable.idempotencyKey);
      switch (sent.kind) {
        case 'sent':
          return sent.test;
        case 'unknown':
          return sendProblem(reply, 'not-found');
        case 'wrong':
          return refuseField(reply, sent.field, sent.fault);
        case 'in-progress':
          return sendProblem(reply, 'idempotency-in-progress');
        case 'mismatch':
          return sendProblem(reply, 'idempotency-key-reused');
        case 'too-many':
          reply.header('retry-after', String(Math.ceil(sent.retryAfterMs / 1_000)));
          return sendProblem(reply, 'asked-too-often', { detail: TOO_MANY });
        case 'refused':
          return refuseRequest(reply, sent.answer, (field) => (field === 'destination' ? 'number' : field));
      }
    },
  }),
};
