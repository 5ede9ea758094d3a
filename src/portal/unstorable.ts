/**
 * Text that PostgreSQL cannot keep, a NUL or half of a surrogate pair, is refused before an operation begins. So both stores answer
 * alike, and no operation has to ask.
 */
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../http/problem.ts';

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

export function refuseUnstorable(app: FastifyInstance): void {
  // Before the session is looked for: that takes the account from the path. Nothing has such a name.
  app.addHook('onRequest', (request, reply, done) => {
    if (findUnstorable(request.params) === undefined) done();
    else sendProblem(reply, 'not-found');
  });
  app.addHook('preHandler', (request, reply, done) => {
    const field = findUnstorable(request.query) ?? findUnstorable(request.body);
    if (field === undefined) return done();
    const detail = 'must hold neither NUL nor half of a surrogate pair';
    sendProblem(reply, 'invalid-request', { errors: [{ field, code: 'wrong_format', detail }] });
  });
}

/** The path of such a text. What is nested deeply is no deep recursion. */
function findUnstorable(given: unknown): string | undefined {
  const left: (readonly [field: string, value: unknown])[] = [['', given]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [field, value] = next;
    if (typeof value === 'string' && !isStorable(value)) return field;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, each] of Object.entries(value)) {
      // A name that is none of ours may be anything, such as somebody's number.
      const at = [field, /^\w{1,64}$/.test(name) ? name : '(unknown)']
        .filter((part) => part !== '')
        .join('/');
      if (!isStorable(name)) return at;
      left.push([at, each]);
    }
  }
  return undefined;
}
