/** /portal/api/accounts/:account/keys: owners and developers create, change, rotate and revoke keys; viewers can look. */

import type { FastifyRequest } from 'fastify';
import {
  type AccountKeys,
  createAccountKeys,
  type KeyOutcome,
  MAX_KEYS_IN_USE,
} from '../../accounts/account-keys.ts';
import { readTimePlace } from '../../accounts/list-place.ts';
import { countKeys, keysOf, keysWith } from '../../accounts/lists/keys.ts';
import { searchList, walkList } from '../../accounts/lists/walk.ts';
import { onBehalfOf } from '../../accounts/standing.ts';
import { mintKey } from '../../core/accounts/api-key-format.ts';
import { MINUTE_MS } from '../../core/seams/spans.ts';
import { isProven, memberOf } from '../../identity/access.ts';
import { Id } from '../../operations/contract.ts';
import { NO_CURSOR } from '../../operations/conventions.ts';
import { CSV_ANSWER, csvFile, csvHeaders } from '../../operations/csv-file.ts';
import { type Refusal, refuse, refuseConflict, refuseField, refuseFields } from '../../operations/refusal.ts';
import type { Portal } from '../deps.ts';
import { operation } from '../operation.ts';
import {
  CreatedKey,
  Key,
  KeyChange,
  KeyFilters,
  KeyPage,
  KeySearch,
  Keys,
  NewKey,
  Rotation,
} from './contract.ts';
import { checkBounds, KEY_COLUMNS, keyCells, normalizeRestrictions, showKey } from './keys.ts';

const TOO_MANY = `The account has ${MAX_KEYS_IN_USE} keys in use, which is the maximum. Revoke one that is not needed.`;
const OVER = 'The key was revoked or replaced, or has expired, so it cannot be changed.';

/** Live keys reach people and cost money. Test keys reach only the simulator, and need no fresh proof. */
const lacksProof = (portal: Portal, request: FastifyRequest, { test }: { readonly test: boolean }): boolean =>
  !test && !isProven(portal, request);

/** What an owner does needs the role of an owner until it is done: some of it is for owners only. */
function ownKeys(request: FastifyRequest, { records }: Portal): AccountKeys {
  const by = memberOf(request);
  return by.role === 'owner'
    ? createAccountKeys(onBehalfOf(records, by, 'owner'), 'owner')
    : createAccountKeys(by.records, 'developer');
}

/** The key that the path names, as it is now. Changes to it have their own guards. */
const named = (request: FastifyRequest<{ Params: { id: string } }>, { records }: Portal) =>
  createAccountKeys(records, 'viewer').find(memberOf(request).accountId, request.params.id);

export const keys = {
  listKeys: operation({
    summary: 'List API keys',
    description: 'Newest first, including revoked and expired ones.',
    response: { 200: Keys },
    handler: async (request, { clock, records }) => {
      const now = clock.now();
      return (await createAccountKeys(records, 'viewer').list(memberOf(request).accountId)).map((key) =>
        showKey(key, now),
      );
    },
  }),

  searchKeys: operation({
    summary: 'Search API keys',
    description:
      'Newest first, fifty at a time. What is searched for is sent in the body, so that a key never appears in a URL.',
    body: KeySearch,
    response: { 200: KeyPage },
    handler: async (request, { clock, records }) => {
      const now = clock.now();
      const { before, state, ...filter } = request.body;
      const after = before === undefined ? undefined : readTimePlace(before);
      if (before !== undefined && after === undefined) return refuseField('before', NO_CURSOR);
      const wanted = { ...filter, ...(state !== undefined && { inUse: state === 'in-use' }) };
      const read = keysOf(records, memberOf(request).accountId, wanted, now);
      const isCounted = before === undefined && wanted.text === undefined;
      const [{ found, next }, count] = await Promise.all([
        searchList(read, keysWith(wanted), after),
        isCounted ? countKeys(records, memberOf(request).accountId, wanted, now) : null,
      ]);
      return { keys: found.map((key) => showKey(key, now)), next, count };
    },
  }),

  exportKeys: operation({
    summary: 'Export the API keys as CSV',
    description: 'Newest first, as a file for spreadsheets. It has no key, only the visible part of each.',
    querystring: KeyFilters,
    response: CSV_ANSWER,
    exposeHeadRoute: false,
    handler: async (request, { clock, records }, reply) => {
      const now = clock.now();
      const { state, test } = request.query;
      const wanted = {
        ...(state !== undefined && { inUse: state === 'in-use' }),
        ...(test !== undefined && { test: test === 'true' }),
      };
      const slices = walkList(keysOf(records, memberOf(request).accountId, wanted, now));
      const file = await csvFile(KEY_COLUMNS, slices, (key) => keyCells(showKey(key, now)));
      reply.headers(csvHeaders('api-keys'));
      return file;
    },
  }),

  createKey: operation({
    summary: 'Create an API key',
    description: 'The key itself is shown only once.',
    body: NewKey,
    response: { 201: CreatedKey },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const now = portal.clock.now();
      const by = memberOf(request);
      const { name, test, expires_at, restrictions, custom_codes: customCodes = false } = request.body;
      if (lacksProof(portal, request, { test })) return refuse('proof-needed');
      const bounds = { expiresAt: readTime(expires_at), restrictions: normalizeRestrictions(restrictions) };
      const errors = checkBounds({ ...bounds, restrictions }, now);
      if (errors.length > 0) return refuseFields(errors);
      const { key: secret, ...minted } = mintKey(portal.records.random, test);
      const made = { ...minted, ...bounds, name: name.trim(), test, customCodes, createdAt: now };
      const outcome = await ownKeys(request, portal).add(by.accountId, made, by);
      if (outcome.kind !== 'done') return refuseChange(outcome);
      return { key: showKey(outcome.key, now), secret };
    },
  }),

  changeKey: operation({
    summary: 'Change an API key',
    description:
      'Fields that are left out stay as they are. Takes effect within a second. A key that may bring codes is an owner’s to widen.',
    params: { id: Id },
    body: KeyChange,
    response: { 200: Key },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const now = portal.clock.now();
      const { name, expires_at, restrictions, custom_codes: customCodes } = request.body;
      const expiresAt = expires_at === undefined ? undefined : readTime(expires_at);
      const errors = checkBounds({ expiresAt, restrictions }, now);
      if (errors.length > 0) return refuseFields(errors);
      const before = await named(request, portal);
      if (before === undefined) return refuse('not-found');
      if (lacksProof(portal, request, before)) return refuse('proof-needed');
      const change = {
        name: name?.trim(),
        expiresAt,
        restrictions: restrictions && normalizeRestrictions(restrictions),
        customCodes,
      };
      const by = memberOf(request);
      return answer(await ownKeys(request, portal).change(by.accountId, before.id, change, by, now), now);
    },
  }),

  rotateKey: operation({
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same limits, which is shown only once. The old one works during the overlap, unless you revoke it. A key that may bring codes is an owner’s to rotate.',
    params: { id: Id },
    body: Rotation,
    response: { 201: CreatedKey },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const now = portal.clock.now();
      const { overlap_minutes: minutes } = request.body;
      const old = await named(request, portal);
      if (old === undefined) return refuse('not-found');
      if (lacksProof(portal, request, old)) return refuse('proof-needed');
      const { key: secret, ...minted } = mintKey(portal.records.random, old.test);
      const by = memberOf(request);
      const overlap = minutes * MINUTE_MS;
      const outcome = await ownKeys(request, portal).rotate(by.accountId, old.id, minted, overlap, by, now);
      if (outcome.kind !== 'done') return refuseChange(outcome);
      return { key: showKey(outcome.key, now), secret };
    },
  }),

  revokeKey: operation({
    summary: 'Revoke an API key',
    description: 'Permanent, and takes effect within a second. Also ends the overlap of a rotated key.',
    params: { id: Id },
    response: { 200: Key },
    problems: ['conflict'],
    handler: async (request, { clock }) => {
      const now = clock.now();
      const by = memberOf(request);
      const keys = createAccountKeys(by.records, 'developer');
      return answer(await keys.revoke(by.accountId, request.params.id, by, now), now);
    },
  }),
};

const answer = (outcome: KeyOutcome, now: number): Key | Refusal =>
  outcome.kind === 'done' ? showKey(outcome.key, now) : refuseChange(outcome);

function refuseChange({ kind }: Exclude<KeyOutcome, { readonly kind: 'done' }>): Refusal {
  switch (kind) {
    case 'unknown':
      return refuse('not-found');
    case 'over':
      return refuseConflict(OVER);
    case 'owners':
      return refuse('forbidden');
    case 'too-many':
      return refuseConflict(TOO_MANY);
  }
}

function readTime(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}
