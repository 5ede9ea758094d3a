/** /portal/api/accounts/:account/do-not-send: owners and developers change the list; every member can look. */
import {
  blockNumbers,
  listBlockedNumbers,
  unblockListed,
  unblockNumber,
} from '../../accounts/blocking/blocked-numbers.ts';
import { blockRange, listBlockedRanges, unblockRange } from '../../accounts/blocking/blocked-ranges.ts';
import { MAX_RANGES, parseRange } from '../../core/blocking/range.ts';
import { parseAnyDestination, parsePastDestination } from '../../core/destination/destination.ts';
import { memberOf } from '../../identity/access.ts';
import { Id } from '../../operations/contract.ts';
import { A_FULL_NUMBER, DONE, NoContent } from '../../operations/conventions.ts';
import { formatInstant } from '../../operations/instant.ts';
import { type Refusal, refuse, refuseConflict, refuseField } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import { BlockedNumbers, BlockedNumbersQuery, BlockedRanges, NewRange, OneNumber } from './contract.ts';

export const doNotSend = {
  listBlockedNumbers: operation({
    summary: 'List the numbers that an account sends nothing to',
    description: 'Newest first, fifty at a time. Numbers are masked.',
    querystring: BlockedNumbersQuery,
    response: { 200: BlockedNumbers },
    handler: async (request, { records, keyring }) => {
      const { accountId } = memberOf(request);
      const page = await listBlockedNumbers({ records, keyring }, accountId, request.query.before);
      const numbers = page.numbers.map(({ createdAt, ...shown }) => ({
        ...shown,
        added_at: formatInstant(createdAt),
      }));
      return { numbers, next: page.next };
    },
  }),

  blockNumber: operation({
    summary: 'Send nothing more to a number',
    description: 'From the next request on, `POST /verify` refuses it.',
    body: OneNumber,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, { clock, keyring }) => {
      const by = memberOf(request);
      const parsed = parseAnyDestination(request.body.number);
      if (!parsed.ok) {
        const { code, detail } = parsed;
        return refuseField('number', { code, detail: code === 'invalid_number' ? detail : A_FULL_NUMBER });
      }
      const deps = { records: by.records, keyring };
      const added = await blockNumbers(deps, by.accountId, [parsed.destination.address], by, clock.wall());
      return added === 0 ? refuseConflict('This number is already on the list.') : DONE;
    },
  }),

  unblockNumber: operation({
    summary: 'Send to a number again',
    description: 'For a number that is known; a listed one can be removed by its id.',
    body: OneNumber,
    response: { 204: NoContent },
    handler: async (request, { clock, keyring }) => {
      const by = memberOf(request);
      const parsed = parsePastDestination(request.body.number);
      if (!parsed.ok) return refuseField('number', { code: parsed.code, detail: A_FULL_NUMBER });
      const deps = { records: by.records, keyring };
      return removed(await unblockNumber(deps, by.accountId, parsed.destination.address, by, clock.wall()));
    },
  }),

  unblockListedNumber: operation({
    summary: 'Send to a listed number again',
    description: 'By the id that the list shows, because it shows no number in full.',
    params: { id: Id },
    response: { 204: NoContent },
    handler: async (request, { clock, keyring }) => {
      const by = memberOf(request);
      const deps = { records: by.records, keyring };
      return removed(await unblockListed(deps, by.accountId, request.params.id, by, clock.wall()));
    },
  }),

  listBlockedRanges: operation({
    summary: 'List the ranges that an account sends nothing to',
    description: 'All of them, in order.',
    response: { 200: BlockedRanges },
    handler: async (request, { records }) => {
      const ranges = await listBlockedRanges(records, memberOf(request).accountId);
      return ranges.map(({ prefix, createdAt }) => ({ prefix, added_at: formatInstant(createdAt) }));
    },
  }),

  blockRange: operation({
    summary: 'Send nothing more to a range of numbers',
    description: 'Takes effect within a second.',
    body: NewRange,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, { clock }) => {
      const by = memberOf(request);
      const parsed = parseRange(request.body.prefix);
      if (!parsed.ok) return refuseField('prefix', parsed);
      switch (await blockRange(by.records, by.accountId, parsed.prefix, by, clock.wall())) {
        case 'added':
          return DONE;
        case 'known':
          return refuseConflict('This range is already on the list.');
        case 'too-many':
          return refuseConflict(
            `The list has ${MAX_RANGES} ranges, which is the maximum. Remove one, or several that a shorter one includes.`,
          );
      }
    },
  }),

  unblockRange: operation({
    summary: 'Send to a range of numbers again',
    description: 'The path has its digits, without the plus. Takes effect within a second.',
    params: { prefix: Id },
    response: { 204: NoContent },
    handler: async (request, { clock }) => {
      const by = memberOf(request);
      const prefix = `+${request.params.prefix}`;
      return removed(await unblockRange(by.records, by.accountId, prefix, by, clock.wall()));
    },
  }),
};

const removed = (done: boolean): typeof DONE | Refusal => (done ? DONE : refuse('not-found'));
