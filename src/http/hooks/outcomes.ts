/** What becomes of a request, as a problem, and in the words of the systems that read answers in their own way. */
import type { FastifyReply } from 'fastify';
import type { FieldError } from '../../core/errors/field-error.ts';
import type { HookSystem } from '../../core/hooks/system.ts';
import type { RequestAnswer } from '../../core/verification/request.ts';
import { LIMITED } from '../limited.ts';
import { PROBLEMS, type ProblemMembers, type ProblemName, sendProblem } from '../problem.ts';
import type { Wanted } from './systems.ts';

export interface HookRefusal {
  readonly name: ProblemName;
  readonly members?: ProblemMembers;
  readonly retryAfterMs?: number | undefined;
}

export function refuseHookField(fault: FieldError): HookRefusal {
  return { name: 'invalid-request', members: { errors: [fault] } };
}

/** `paths` says what the system calls the fields. */
export function hookRefusalOf(
  answer: Exclude<RequestAnswer, { kind: 'issued' }>,
  paths: Wanted['paths'],
): HookRefusal {
  switch (answer.kind) {
    case 'invalid': {
      const { field, code, detail } = answer;
      return refuseHookField({ field: nameOf(field, paths), code, detail });
    }
    case 'idempotency-mismatch':
      return { name: 'idempotency-key-reused' };
    case 'idempotency-in-progress':
      return { name: 'unavailable', retryAfterMs: 1_000 };
    case 'exhausted':
      return { name: 'budget-exhausted', retryAfterMs: answer.retryAfterMs };
    case 'guarded':
      return { name: 'guarded', retryAfterMs: answer.retryAfterMs };
    case 'unanswered':
      return { name: 'unavailable', retryAfterMs: answer.retryAfterMs };
    case 'limited':
      return { name: LIMITED[answer.scope], retryAfterMs: answer.retryAfterMs };
  }
}

function nameOf(field: string, { number, code }: Wanted['paths']): string {
  if (field === 'destination') return number;
  return field === 'options/custom_code' ? code : field;
}

/** How one system is told that a code was refused. */
type Tell = (reply: FastifyReply, refusal: HookRefusal, status: number) => FastifyReply;

const PROBLEM: Tell = (reply, { name, members }) => sendProblem(reply, name, members);

const TELLS: Partial<Record<HookSystem, Tell>> = {
  /**
   * It shows people only what comes with 200. After 503 it tries again, at once: that helps where the service is busy, and not
   * where a limit is reached.
   */
  supabase: (reply, refusal, status) => {
    if (refusal.name === 'forged-hook' || status === 503) return PROBLEM(reply, refusal, status);
    // The person did nothing wrong if the hook's own key is refused.
    const http_code = status === 401 ? 500 : status;
    return reply.code(200).send({ error: { http_code, message: describe(refusal) } });
  },
  /** It reads the code, and the status only of answers without one. */
  authgear: (reply, refusal, status) =>
    reply.code(status).send({ code: authgearCode(refusal, status), description: describe(refusal) }),
  /** It shows people the answer as it is. */
  authentik: (reply, refusal, status) => reply.code(status).type('text/plain').send(describe(refusal)),
};

export function sendHookRefusal(reply: FastifyReply, system: HookSystem, refusal: HookRefusal): FastifyReply {
  const { name, retryAfterMs } = refusal;
  if (retryAfterMs !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  reply.request.problem = name;
  return (TELLS[system] ?? PROBLEM)(reply, refusal, PROBLEMS[name].status);
}

/** `id` is that of the verification: for looking up what became of its message. */
export function sendAccepted(reply: FastifyReply, system: HookSystem, id: string): FastifyReply {
  return reply.send(system === 'authgear' ? { code: 'ok' } : { id });
}

/** One line, without a number or a code. */
function describe({ name, members }: HookRefusal): string {
  const faults = members?.errors?.map(({ field, detail }) => `${field}: ${detail}`);
  return faults?.join('; ') ?? members?.detail ?? PROBLEMS[name].title;
}

function authgearCode({ members }: HookRefusal, status: number): string {
  if (status === 429) return 'rate_limited';
  if (status === 401) return 'authentication_failed';
  if (status === 503) return 'timeout';
  return members?.errors?.some(({ field }) => field === 'to')
    ? 'invalid_phone_number'
    : 'unsupported_request';
}
