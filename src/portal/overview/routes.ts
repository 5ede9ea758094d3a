/** GET /portal/api/accounts/:account/overview, overview.csv and overview/…: the funnel, from counters. .../carriers: their state. */
import { memberOf } from '../../identity/access.ts';
import { CSV_ANSWER, csvHeaders } from '../../operations/csv-file.ts';
import { refuseFields } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import {
  CarrierCourses,
  CarrierHealth,
  EarlierOverview,
  Overview,
  OverviewChanges,
  OverviewParts,
  OverviewQuery,
  OverviewTotal,
} from './contract.ts';
import { formatOverviewCsv } from './overview-csv.ts';

export const overview = {
  readOverview: operation({
    summary: 'Read the funnel of an account',
    description:
      'In total, over time, and by country, carrier, key and channel. Requests, failures and limits have no carrier: for one carrier they are null, and its funnel starts with the attempts.',
    response: { 200: Overview },
    querystring: OverviewQuery,
    handler: async (request, { lookup }) => {
      const found = await lookup.overview.read(memberOf(request).accountId, request.query);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),

  readOverviewTotal: operation({
    summary: 'Read the funnel of an account in total',
    description: 'What the overview of the same query says in total and over time, without its parts.',
    response: { 200: OverviewTotal },
    querystring: OverviewQuery,
    handler: async (request, { lookup }) => {
      const found = await lookup.overview.readTotal(memberOf(request).accountId, request.query);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),

  readOverviewParts: operation({
    summary: 'Read the parts of the funnel of an account',
    description: 'What the overview of the same query says by country, carrier, key and channel.',
    response: { 200: OverviewParts },
    querystring: OverviewQuery,
    handler: async (request, { lookup }) => {
      const found = await lookup.overview.readParts(memberOf(request).accountId, request.query);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),

  readEarlierOverview: operation({
    summary: 'Read the funnel of the period before',
    description:
      'As many steps before the overview of the same query as are over in it. Null if counts from then are too coarse to compare.',
    response: { 200: EarlierOverview },
    querystring: OverviewQuery,
    handler: async (request, { lookup }) => {
      const found = await lookup.overview.readEarlier(memberOf(request).accountId, request.query);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),

  readOverviewChanges: operation({
    summary: 'Read how the parts of the funnel changed',
    description:
      'For each country, carrier, key and channel, what its funnel begins with: in the steps of the overview that are over, and in as many before. Null if counts from then are too coarse to compare.',
    response: { 200: OverviewChanges },
    querystring: OverviewQuery,
    handler: async (request, { lookup }) => {
      const found = await lookup.overview.readChanges(memberOf(request).accountId, request.query);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),

  readCarrierCourses: operation({
    summary: 'Read each carrier over time',
    description:
      'Attempts, accepted messages and confirmations of each carrier in each step of the overview.',
    response: { 200: CarrierCourses },
    querystring: OverviewQuery,
    handler: async (request, { lookup }) => {
      const found = await lookup.overview.readCarriers(memberOf(request).accountId, request.query);
      return found.ok ? found.answer : refuseFields(found.errors);
    },
  }),

  exportOverview: operation({
    summary: 'Export the funnel of an account as CSV',
    description: 'The figures of the overview, as a file for spreadsheets.',
    response: CSV_ANSWER,
    querystring: OverviewQuery,
    handler: async (request, { lookup }, reply) => {
      const found = await lookup.overview.read(memberOf(request).accountId, request.query);
      if (!found.ok) return refuseFields(found.errors);
      reply.headers(csvHeaders('overview'));
      return formatOverviewCsv(found.answer);
    },
  }),

  readCarrierHealth: operation({
    summary: 'Read the state of the carriers',
    description:
      'What the installation sees of each carrier, and what happened to this account’s messages in the last hour.',
    response: { 200: CarrierHealth },
    handler: (request, { lookup }) => lookup.readCarrierHealth(memberOf(request).accountId),
  }),
};
