/** HTTP Basic as Twilio's libraries send it: the password is the API key, and only it decides who asks. */
import type { FastifyRequest } from 'fastify';
import type { Authenticate, RequestHook } from '../admission/authentication.ts';
import { basicCredentials } from '../admission/basic.ts';
import { sendTwilioRefusal, type TwilioRefusal } from './errors.ts';

const UNAUTHENTICATED: TwilioRefusal = {
  code: 20003,
  message:
    'Authentication Error - the auth token is not a valid API key of this service. Any account SID goes with it.',
};

const OFF: TwilioRefusal = {
  code: 20404,
  message:
    'Twilio Verify is off for this account. An owner turns it on in the portal, under Settings: Twilio Verify.',
};

/** Makes the hook that resolves the caller of an account for which this is on. */
export function requireBasicKey(authenticate: Authenticate): RequestHook {
  return (request, reply, done) => {
    const given = basicCredentials(request.headers.authorization);
    const refuse = () => {
      sendTwilioRefusal(reply.header('www-authenticate', 'Basic realm="Countersign"'), UNAUTHENTICATED);
    };
    if (given === undefined) return refuse();
    const admit = (identified: Awaited<ReturnType<Authenticate>>) => {
      if (typeof identified === 'string') return refuse();
      request.caller = identified;
      if (identified.settings?.twilio === true) done();
      else sendTwilioRefusal(reply, OFF);
    };
    const identified = authenticate(given.password, request.clientAddress);
    if (identified instanceof Promise) identified.then(admit, done);
    else admit(identified);
  };
}

const ACCOUNT_SID = /^AC[0-9a-f]{32}$/i;
const NO_ACCOUNT = `AC${'0'.repeat(32)}`;

/** What answers give as the account: what the client calls itself, or zeros if it has only the SID of a key. */
export function accountSidOf({ headers }: FastifyRequest): string {
  const user = basicCredentials(headers.authorization)?.user ?? '';
  return ACCOUNT_SID.test(user) ? user : NO_ACCOUNT;
}
