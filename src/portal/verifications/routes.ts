/** /portal/api/accounts/:account/verifications: list, search by number, one with its attempts, its full number. */
import { memberOf } from '../../identity/access.ts';
import { Id } from '../../operations/contract.ts';
import { CSV_ANSWER, csvFile, csvHeaders } from '../../operations/csv-file.ts';
import { type Refusal, refuse, refuseFields, refuseUntil } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import {
  ExportFilters,
  Filters,
  Revealed,
  Search,
  VerdictChoice,
  VerificationCount,
  VerificationDetail,
  VerificationPage,
} from './contract.ts';
import { type Found, MOST_EXPORTED } from './verifications.ts';

export const verifications = {
  listVerifications: operation({
    summary: 'List verifications',
    description: 'Newest first, fifty at a time. `searched_to` says how far back the search went.',
    querystring: Filters,
    response: { 200: VerificationPage },
    handler: async (request, { lookup: { verifications } }) =>
      answer(await verifications.list(memberOf(request).accountId, request.query)),
  }),

  countVerifications: operation({
    summary: 'Count verifications',
    description:
      'How many a list with these filters has in all. `searched_to` is null if all were counted; of very many, only those since then are.',
    querystring: ExportFilters,
    response: { 200: VerificationCount },
    handler: async (request, { lookup: { verifications } }) => {
      const counted = await verifications.count(memberOf(request).accountId, request.query);
      return counted.ok ? counted.answer : refuseFields(counted.errors);
    },
  }),

  exportVerifications: operation({
    summary: 'Export verifications as CSV',
    description: `Those that match, newest first and at most ${MOST_EXPORTED}, as a file for spreadsheets. Numbers are masked.`,
    querystring: ExportFilters,
    response: CSV_ANSWER,
    exposeHeadRoute: false,
    handler: async (request, { lookup: { verifications } }, reply) => {
      const found = verifications.walk(memberOf(request).accountId, request.query);
      if (!found.ok) return refuseFields(found.errors);
      const file = await csvFile(COLUMNS, found.slices, ({ key, ...shown }) => [
        ...[shown.requested_at, shown.id, shown.destination, shown.status, shown.channel, shown.country],
        ...[shown.carrier, key.id, key.name, shown.test ? 'test' : 'live', shown.confirmed_at],
        shown.carriers_asked.join(' '),
      ]);
      reply.headers(csvHeaders('verifications'));
      return file;
    },
  }),

  searchVerifications: operation({
    summary: 'Search verifications by number or id',
    description: 'The number must be complete. It is sent in the body, so that it never appears in a URL.',
    body: Search,
    response: { 200: VerificationPage },
    handler: async (request, { lookup: { verifications } }) => {
      const { query, ...filters } = request.body;
      return answer(await verifications.search(memberOf(request).accountId, query, filters));
    },
  }),

  readVerification: operation({
    summary: 'Read what happened to a verification',
    description:
      'Each attempt with its carrier, why that one was chosen, its reason, its cost, and its receipt with the price and the network that the carrier named.',
    params: { id: Id },
    response: { 200: VerificationDetail },
    handler: async (request, { lookup: { verifications } }) => {
      const found = await verifications.detail(memberOf(request).accountId, request.params.id);
      return found ?? refuse('not-found');
    },
  }),

  judgeVerification: operation({
    summary: 'Say what a verification turned out to be',
    description:
      'Evidence for the guard, for seven days after the request for the code. A verification has one verdict, which a later one replaces. The audit log records each change.',
    params: { id: Id },
    body: VerdictChoice,
    response: { 200: VerificationDetail },
    problems: ['asked-too-often'],
    handler: async (request, { feedback, lookup: { verifications } }) => {
      const by = memberOf(request);
      const { id } = request.params;
      const answer = await feedback.byMember(by, id, request.body.verdict);
      if (answer.kind === 'limited') return refuseUntil(answer.retryAfterMs, 'asked-too-often');
      const found = answer.kind === 'given' ? await verifications.detail(by.accountId, id) : undefined;
      return found ?? refuse('not-found');
    },
  }),

  revealDestination: operation({
    summary: 'Read the full number of a verification',
    description: 'For owners. The audit log records each call.',
    params: { id: Id },
    response: { 200: Revealed },
    handler: async (request, { lookup: { verifications } }) => {
      const destination = await verifications.reveal(memberOf(request), request.params.id);
      return destination === undefined ? refuse('not-found') : { destination };
    },
  }),
};

const COLUMNS = [
  ...['requested_at', 'id', 'number', 'status', 'channel', 'country'],
  ...['carrier', 'key_id', 'key_name', 'kind', 'confirmed_at', 'carriers_asked'],
];

function answer(found: Found): VerificationPage | Refusal {
  return found.ok ? found.page : refuseFields(found.errors);
}
