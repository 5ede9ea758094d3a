/**
 * POST /hooks/NAME: identity systems that make their own codes have them sent here, each in its own terms (docs/hooks.md). Loaded
 * only if a hook is configured. Not in the OpenAPI document: each system describes what it sends.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { HookOptions, Hooks } from '../../core/hooks/system.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Caller, RequestAnswer, VerifierPort } from '../../core/verification/request.ts';
import type { Authenticate } from '../admission/authentication.ts';
import { type NotReady, refuseWhenNotReady } from '../admission/overload.ts';
import { sendProblem } from '../problem.ts';
import {
  type HookRefusal,
  hookRefusalOf,
  refuseHookField,
  sendAccepted,
  sendHookRefusal,
} from './outcomes.ts';
import { readFields } from './payload.ts';
import { createHookProof, type HookProof } from './proof.ts';
import { readWanted, type Wanted } from './systems.ts';

interface HookDeps {
  readonly clock: Pick<Clock, 'wall'>;
  readonly verifier: () => Pick<VerifierPort, 'request'>;
  readonly authenticate: Authenticate;
  readonly findNotReady: () => NotReady | undefined;
  readonly log: Logger;
}

interface Hook {
  readonly name: string;
  readonly options: HookOptions;
  readonly prove: HookProof;
}

type HookRequest = FastifyRequest<{ Params: { name: string }; Body: Buffer | undefined }>;

/** Supabase sends all that it knows of the person. */
const MAX_BODY_BYTES = 64 * 1024;
const NO_BODY = Buffer.alloc(0);

const UNUSABLE: HookRefusal = {
  name: 'invalid-key',
  members: {
    detail:
      'The API key of this hook is unknown, revoked or expired, or may not be used from this address. The operator sets it under `hooks`.',
  },
};

export function registerHooks(app: FastifyInstance, deps: HookDeps, configured: Hooks): void {
  const hooks = new Map(
    Object.entries(configured).map(([name, options]): [string, Hook] => [
      name,
      { name, options, prove: createHookProof(options) },
    ]),
  );
  const request = shareRepetitions(deps.verifier);
  // Bodies stay bytes, whatever they claim to be: signatures cover bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  app.post<{ Params: { name: string }; Body: Buffer | undefined }>(
    '/hooks/:name',
    { onRequest: refuseWhenNotReady(deps.findNotReady), bodyLimit: MAX_BODY_BYTES, schema: { hide: true } },
    async (incoming, reply) => {
      const hook = hooks.get(incoming.params.name);
      return hook === undefined
        ? sendProblem(reply, 'not-found')
        : answer(hook, incoming, reply, deps, request);
    },
  );
}

async function answer(
  { name, options, prove }: Hook,
  incoming: HookRequest,
  reply: FastifyReply,
  { clock, authenticate, log }: HookDeps,
  request: Request,
): Promise<FastifyReply> {
  const { headers, body = NO_BODY } = incoming;
  const { system } = options;
  const refuse = (refusal: HookRefusal) => sendHookRefusal(reply, system, refusal);
  const now = clock.wall();
  const reason = prove(headers, body, now);
  if (reason !== undefined) {
    log.warn({ requestId: incoming.id, hook: name, reason }, 'forged hook');
    reply.header('www-authenticate', 'Bearer');
    return refuse({ name: 'forged-hook' });
  }
  const caller = await authenticate(options.key, incoming.clientAddress);
  if (typeof caller === 'string') {
    log.warn({ requestId: incoming.id, hook: name, reason: caller }, 'the key of a hook is not valid');
    return refuse(UNUSABLE);
  }
  incoming.caller = caller;
  const fields = readFields(headers['content-type'], body);
  if (!fields.ok) return refuse(refuseHookField(fields.fault));
  const read = readWanted(system, fields.value, headers, now);
  if (!read.ok) return refuse(refuseHookField(read.fault));
  const wanted = read.value;
  if (wanted === undefined) return reply.code(204).send();
  const outcome = await request(caller, name, options, wanted);
  if (outcome.kind === 'issued') return sendAccepted(reply, system, outcome.id);
  return refuse(hookRefusalOf(outcome, wanted.paths));
}

type Request = (caller: Caller, name: string, options: HookOptions, wanted: Wanted) => Promise<RequestAnswer>;

/**
 * A try of the same message sends nothing again: the store finds it by its Idempotency-Key. One that comes while the first is under way is given
 * the answer of the first. To be told that it is in progress would be a failure to these systems.
 */
function shareRepetitions(verifier: HookDeps['verifier']): Request {
  const underWay = new Map<string, Promise<RequestAnswer>>();
  return (caller, name, { template, ...options }, wanted) => {
    const channel = options.channel ?? wanted.channel ?? 'sms';
    // No key of a client holds a NUL. A call after an SMS is no repetition.
    const idempotencyKey = `hook\0${name}\0${channel}\0${wanted.repetition}`;
    const place = `${caller.accountId} ${idempotencyKey}`;
    const first = underWay.get(place);
    if (first !== undefined) return first;
    const begun = verifier()
      .request(caller, {
        ...{ destination: wanted.number, channel, idempotencyKey, repetitionMs: wanted.repetitionMs },
        checkedElsewhere: true,
        options: { customCode: wanted.code, template, locale: options.locale ?? wanted.locale },
      })
      .finally(() => underWay.delete(place));
    underWay.set(place, begun);
    return begun;
  };
}
