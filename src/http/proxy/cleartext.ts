/** A request that came unencrypted is refused, and its key is revoked: anyone may have read it. */
import type { IncomingMessage } from 'node:http';
import { bearerToken } from '../admission/authentication.ts';
import { basicCredentials } from '../admission/basic.ts';
import { CAMARA_PATH, TOKEN_PATH } from '../camara/paths.ts';
import { type Form, fieldOf } from '../form.ts';
import type { ProblemMembers } from '../problem.ts';

/** Revokes the key; false when it is not a valid one. */
export type RevokeKey = (token: string) => Promise<boolean>;

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(;|$)/i;
/** The same as over TLS. */
const MAX_FORM_BYTES = 16 * 1024;

/** Revokes the keys of the request, if any, and says so in the problem. */
export async function revokeLeakedKey(
  request: IncomingMessage,
  revoke: RevokeKey | undefined,
): Promise<ProblemMembers | undefined> {
  if (revoke === undefined) return undefined;
  const keys = [keyInHeader(request), keyInForm(request)];
  const revoked = await Promise.all(
    keys.map(async (found) => {
      const key = await found;
      return key !== undefined && (await revoke(key));
    }),
  );
  if (!revoked.includes(true)) return undefined;
  return {
    detail: 'The request was not encrypted. Its API key was exposed and has been revoked. Create a new one.',
  };
}

const keyInHeader = ({ headers: { authorization } }: IncomingMessage): string | undefined =>
  bearerToken(authorization) ?? basicCredentials(authorization)?.password;

/** Clients of OAuth may send their secret in the form (RFC 6749, section 2.3.1). No other body is read. */
async function keyInForm(request: IncomingMessage): Promise<string | undefined> {
  const [path] = (request.url ?? '').split('?', 1);
  const isForm = FORM_TYPE.test(request.headers['content-type'] ?? '');
  if (path !== `${CAMARA_PATH}${TOKEN_PATH}` || !isForm) return undefined;
  return fieldOf(await readForm(request), 'client_secret');
}

/** Undefined if it is too large, or does not come whole. The listener bounds how long it may take. */
function readForm(request: IncomingMessage): Promise<Form | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let left = MAX_FORM_BYTES;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left >= 0) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(new URLSearchParams(Buffer.concat(chunks).toString())));
    request.once('close', () => resolve(undefined));
  });
}
