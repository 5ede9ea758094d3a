/** /portal/api/accounts/:account/keys: owners and developers make, change, rotate and revoke keys; viewers look. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { type KeyOutcome, MAX_KEYS_IN_USE } from '../../core/api-key.ts';
import { mintKey } from '../../core/api-key-format.ts';
import { sendProblem } from '../../http/problem.ts';
import { isProven, memberOf } from '../access.ts';
import { auditStep } from '../audit.ts';
import { Id } from '../contract/common.ts';
import { CreatedKey, Key, KeyChange, Keys, NewKey, Rotation } from '../contract/keys.ts';
import type { Portal } from '../deps.ts';
import { checkBounds, describeBounds, normalizeRestrictions, showKey } from '../keys.ts';
import { operation } from '../operation.ts';
import { AccountPath } from './conventions.ts';

const KeyPath = Type.Object({ account: Id, id: Id });
type KeyPath = Static<typeof KeyPath>;

const MINUTE_MS = 60_000;
const TOO_MANY = `The account has ${MAX_KEYS_IN_USE} keys in use, as many as there can be. Revoke one that nobody needs.`;
const OVER = 'The key is revoked or expired, or was replaced before: it cannot become what is asked for.';

/** Live keys reach people and cost money; test keys reach the simulator alone, and are made without a question. */
const lacksProof = (request: FastifyRequest, { test }: { readonly test: boolean }): boolean =>
  !test && !isProven(request);

/** The record of what this request does to a key. */
function record(
  request: FastifyRequest,
  at: number,
  action: string,
  { name, prefix }: { readonly name: string; readonly prefix: string },
  detail = '',
) {
  const { accountId, personName: who, address } = memberOf(request);
  return auditStep({ accountId, who, address, action, subject: `${name} (${prefix})`, detail, at });
}

/** The key that the path names, as it is now: for the record's words alone, since what is done has its own guards. */
const named = (request: FastifyRequest<{ Params: KeyPath }>, { keysIn, records }: Portal) =>
  keysIn(records).find(memberOf(request).accountId, request.params.id);

export const keys = {
  listKeys: operation(
    {
      operationId: 'listKeys',
      summary: 'List API keys',
      description: 'Newest first, also those that are revoked or expired.',
      params: AccountPath,
      response: { 200: Keys },
    },
    async (request, _reply, { records, keysIn }) => {
      const now = Date.now();
      return (await keysIn(records).list(memberOf(request).accountId)).map((key) => showKey(key, now));
    },
  ),

  createKey: operation<{ Body: NewKey }>(
    {
      operationId: 'createKey',
      summary: 'Make an API key',
      description: 'The key itself is shown this once.',
      params: AccountPath,
      body: NewKey,
      response: { 201: CreatedKey },
      problems: ['conflict'],
    },
    async (request, reply, portal) => {
      const now = Date.now();
      const { accountId, personName: createdBy, records } = memberOf(request);
      const { name, test, expires_at, restrictions } = request.body;
      if (lacksProof(request, { test })) return sendProblem(reply, 'proof-needed');
      const bounds = { expiresAt: readTime(expires_at), restrictions: normalizeRestrictions(restrictions) };
      const errors = checkBounds({ ...bounds, restrictions }, now);
      if (errors.length > 0) return sendProblem(reply, 'invalid-request', { errors });
      const { key: secret, ...minted } = mintKey(test);
      const made = { ...minted, ...bounds, name: name.trim(), test, createdAt: now, createdBy };
      const entry = record(request, now, 'key.created', made, describeBounds(bounds));
      const outcome = await portal.keysIn(records).add(accountId, made, entry);
      if (outcome.kind !== 'done') return answer(reply, outcome, now);
      return reply.code(201).send({ key: showKey(outcome.key, now), secret });
    },
  ),

  changeKey: operation<{ Params: KeyPath; Body: KeyChange }>(
    {
      operationId: 'changeKey',
      summary: 'Change an API key',
      description: 'What is not mentioned stays as it is. In force within a second.',
      params: KeyPath,
      body: KeyChange,
      response: { 200: Key },
      problems: ['conflict'],
    },
    async (request, reply, portal) => {
      const now = Date.now();
      const { name, expires_at, restrictions } = request.body;
      const expiresAt = expires_at === undefined ? undefined : readTime(expires_at);
      const errors = checkBounds({ expiresAt, restrictions }, now);
      if (errors.length > 0) return sendProblem(reply, 'invalid-request', { errors });
      const before = await named(request, portal);
      if (before === undefined) return sendProblem(reply, 'not-found');
      if (lacksProof(request, before)) return sendProblem(reply, 'proof-needed');
      const change = {
        name: name?.trim(),
        expiresAt,
        restrictions: restrictions && normalizeRestrictions(restrictions),
      };
      const entry = record(request, now, 'key.changed', before, describeBounds(change));
      const own = portal.keysIn(memberOf(request).records);
      return answer(reply, await own.change(before.accountId, before.id, change, now, entry), now);
    },
  ),

  rotateKey: operation<{ Params: KeyPath; Body: Rotation }>(
    {
      operationId: 'rotateKey',
      summary: 'Rotate an API key',
      description:
        'Makes a key with the same bounds, shown this once. The old one is good for the overlap; revoking it ends that.',
      params: KeyPath,
      body: Rotation,
      response: { 201: CreatedKey },
      problems: ['conflict'],
    },
    async (request, reply, portal) => {
      const now = Date.now();
      const { overlap_minutes: minutes } = request.body;
      const old = await named(request, portal);
      if (old === undefined) return sendProblem(reply, 'not-found');
      if (lacksProof(request, old)) return sendProblem(reply, 'proof-needed');
      const { key: secret, ...minted } = mintKey(old.test);
      const { personName: createdBy, records } = memberOf(request);
      const successor = { ...minted, createdBy };
      const detail = `replaced by ${minted.prefix}; overlap of ${minutes} minutes`;
      const entry = record(request, now, 'key.rotated', old, detail);
      const overlap = minutes * MINUTE_MS;
      const outcome = await portal
        .keysIn(records)
        .rotate(old.accountId, old.id, successor, overlap, now, entry);
      if (outcome.kind !== 'done') return answer(reply, outcome, now);
      return reply.code(201).send({ key: showKey(outcome.key, now), secret });
    },
  ),

  revokeKey: operation<{ Params: KeyPath }>(
    {
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'For good, and within a second; also a key in its overlap.',
      params: KeyPath,
      response: { 200: Key },
      problems: ['conflict'],
    },
    async (request, reply, portal) => {
      const now = Date.now();
      const key = await named(request, portal);
      if (key === undefined) return sendProblem(reply, 'not-found');
      const entry = record(request, now, 'key.revoked', key);
      const own = portal.keysIn(memberOf(request).records);
      return answer(reply, await own.revoke(key.accountId, key.id, now, entry), now);
    },
  ),
};

function answer(reply: FastifyReply, outcome: KeyOutcome, now: number): FastifyReply {
  switch (outcome.kind) {
    case 'done':
      return reply.send(showKey(outcome.key, now));
    case 'unknown':
      return sendProblem(reply, 'not-found');
    case 'over':
      return sendProblem(reply, 'conflict', { detail: OVER });
    case 'too-many':
      return sendProblem(reply, 'conflict', { detail: TOO_MANY });
  }
}

function readTime(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}
