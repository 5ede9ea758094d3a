/** The client's own name for a request, which every answer repeats (CAMARA API Design Guide, x-correlator). */
import type { FastifyInstance } from 'fastify';
import type { RequestHook } from '../admission/authentication.ts';
import { invalidArgument, sendCamaraRefusal } from './errors.ts';

const HEADER = 'x-correlator';
/** Of version 1.1.1 and later; before that it was narrower. */
const FORM = /^[a-zA-Z0-9\-_:;./<>{}]{0,256}$/;

const MALFORMED = invalidArgument(
  `${HEADER}: must be at most 256 letters, digits and characters of - _ : ; . / < > { }`,
);

/** Repeats it on all answers of the scope, errors included; one that is malformed is not repeated. */
export function repeatCorrelator(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const given = request.headers[HEADER];
    if (typeof given === 'string' && given !== '' && FORM.test(given)) reply.header(HEADER, given);
    done();
  });
}

/** After the key: nobody without one is told what else is wrong. */
export const requireCorrelator: RequestHook = ({ headers }, reply, done) => {
  const given = headers[HEADER];
  if (given === undefined || (typeof given === 'string' && FORM.test(given))) done();
  else sendCamaraRefusal(reply, MALFORMED);
};
