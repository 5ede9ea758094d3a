/** The two operations of both versions. Loaded with the first request, because most services never get one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../request.ts';
import { fieldErrors } from '../validation.ts';
import type { CamaraDeps } from './deps.ts';
import { invalidArgument, sendCamaraRefusal } from './errors.ts';
import { refusalOfGuess, refusalOfSending } from './outcomes.ts';
import type { SendCodeBody, ValidateCodeBody } from './schemas.ts';

type Operation<Body> = (
  request: FastifyRequest<{ Body: Body }>,
  reply: FastifyReply,
  deps: CamaraDeps,
) => Promise<FastifyReply>;

const UNKNOWN_TEXT = invalidArgument(
  'message: must be word for word one of the texts that the operator of this service has named',
);

const sendCode: Operation<SendCodeBody> = async (request, reply, { verifier }) => {
  const caller = callerOf(request);
  const { phoneNumber: destination, message } = request.body;
  const current = verifier();
  const options = current.findNamedText(caller, message);
  if (options === undefined) return sendCamaraRefusal(reply, UNKNOWN_TEXT);
  const wanted = {
    destination,
    channel: 'sms',
    idempotencyKey: undefined,
    options,
    endsEarlier: true,
  } as const;
  const answer = await current.request(caller, wanted);
  if (answer.kind !== 'issued') return sendCamaraRefusal(reply, refusalOfSending(answer));
  return reply.send({ authenticationId: answer.id });
};

const validateCode: Operation<ValidateCodeBody> = async (request, reply, { verifier }) => {
  const { authenticationId, code } = request.body;
  const answer = await verifier().confirm(callerOf(request), authenticationId, code);
  if (answer.kind !== 'confirmed') return sendCamaraRefusal(reply, refusalOfGuess(answer));
  return reply.code(204).send();
};

/** Says what is wrong with the body before anything is done. */
const checked =
  <Body>(operation: Operation<Body>): Operation<Body> =>
  async (request, reply, deps) => {
    const [fault] = fieldErrors(request.validationError?.validation ?? []);
    if (fault === undefined) return operation(request, reply, deps);
    return sendCamaraRefusal(reply, invalidArgument(`${fault.field}: ${fault.detail}`));
  };

export const OPERATIONS = { sendCode: checked(sendCode), validateCode: checked(validateCode) };
