/** /portal/api/accounts/:account/do-not-send: owners and developers change the list; every member can look. */
import type { FastifyReply } from 'fastify';
import {
  blockNumbers,
  listBlockedNumbers,
  unblockListed,
  unblockNumber,
} from '../../accounts/blocking/blocked-numbers.ts';
import { blockRange, listBlockedRanges, unblockRange } from '../../accounts/blocking/blocked-ranges.ts';
import { MAX_RANGES, parseRange } from '../../core/blocking/range.ts';
import { parseAnyDestination } from '../../core/destination/destination.ts';
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { A_FULL_NUMBER, NoContent, refuseConflict, refuseField } from '../conventions.ts';
import { formatInstant } from '../instant.ts';
import { operation } from '../operation.ts';
import { BlockedNumbers, BlockedNumbersQuery, BlockedRanges, NewRange, OneNumber } from './contract.ts';

export const doNotSend = {
  listBlockedNumbers: operation<{ Querystring: BlockedNumbersQuery }>({
    summary: 'List the numbers that an account sends nothing to',
    description: 'Newest first, fifty at a time. Numbers are masked.',
    querystring: BlockedNumbersQuery,
    response: { 200: BlockedNumbers },
    handler: async (request, _reply, { records, keyring }) => {
      const { accountId } = memberOf(request);
      const page = await listBlockedNumbers({ records, keyring }, accountId, request.query.before);
      const numbers = page.numbers.map(({ createdAt, ...shown }) => ({
        ...shown,
        added_at: formatInstant(createdAt),
      }));
      return { numbers, next: page.next };
    },
  }),

  blockNumber: operation<{ Body: OneNumber }>({
    summary: 'Send nothing more to a number',
    description: 'From the next request on, `POST /verify` refuses it.',
    body: OneNumber,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, reply, { clock, keyring }) => {
      const by = memberOf(request);
      const parsed = parseAnyDestination(request.body.number);
      if (!parsed.ok) return refuseField(reply, 'number', { code: parsed.code, detail: A_FULL_NUMBER });
      const deps = { records: by.records, keyring };
      const added = await blockNumbers(deps, by.accountId, [parsed.destination.address], by, clock.wall());
      return added === 0
        ? refuseConflict(reply, 'This number is already on the list.')
        : reply.code(204).send();
    },
  }),

  unblockNumber: operation<{ Body: OneNumber }>({
    summary: 'Send to a number again',
    description: 'For a number that is known; a listed one can be removed by its id.',
    body: OneNumber,
    response: { 204: NoContent },
    handler: async (request, reply, { clock, keyring }) => {
      const by = memberOf(request);
      const parsed = parseAnyDestination(request.body.number);
      if (!parsed.ok) return refuseField(reply, 'number', { code: parsed.code, detail: A_FULL_NUMBER });
      const deps = { records: by.records, keyring };
      return removed(
        reply,
        await unblockNumber(deps, by.accountId, parsed.destination.address, by, clock.wall()),
      );
    },
  }),

  unblockListedNumber: operation<{ Params: { id: string } }>({
    summary: 'Send to a listed number again',
    description: 'By the id that the list shows, because it shows no number in full.',
    response: { 204: NoContent },
    handler: async (request, reply, { clock, keyring }) => {
      const by = memberOf(request);
      const deps = { records: by.records, keyring };
      return removed(reply, await unblockListed(deps, by.accountId, request.params.id, by, clock.wall()));
    },
  }),

  listBlockedRanges: operation({
    summary: 'List the ranges that an account sends nothing to',
    description: 'All of them, in order.',
    response: { 200: BlockedRanges },
    handler: async (request, _reply, { records }) => {
      const ranges = await listBlockedRanges(records, memberOf(request).accountId);
      return ranges.map(({ prefix, createdAt }) => ({ prefix, added_at: formatInstant(createdAt) }));
    },
  }),

  blockRange: operation<{ Body: NewRange }>({
    summary: 'Send nothing more to a range of numbers',
    description: 'Takes effect within a second.',
    body: NewRange,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, reply, { clock }) => {
      const by = memberOf(request);
      const parsed = parseRange(request.body.prefix);
      if (!parsed.ok) return refuseField(reply, 'prefix', parsed);
      switch (await blockRange(by.records, by.accountId, parsed.prefix, by, clock.wall())) {
        case 'added':
          return reply.code(204).send();
        case 'known':
          return refuseConflict(reply, 'This range is already on the list.');
        case 'too-many':
          return refuseConflict(
            reply,
            `The list has ${MAX_RANGES} ranges, which is the maximum. Remove one, or several that a shorter one includes.`,
          );
      }
    },
  }),

  unblockRange: operation<{ Params: { prefix: string } }>({
    summary: 'Send to a range of numbers again',
    description: 'The path has its digits, without the plus. Takes effect within a second.',
    response: { 204: NoContent },
    handler: async (request, reply, { clock }) => {
      const by = memberOf(request);
      const prefix = `+${request.params.prefix}`;
      return removed(reply, await unblockRange(by.records, by.accountId, prefix, by, clock.wall()));
    },
  }),
};

const removed = (reply: FastifyReply, done: boolean): FastifyReply =>
  done ? reply.code(204).send() : sendProblem(reply, 'not-found');
