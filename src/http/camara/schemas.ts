/** The bodies of both versions (one-time-password-sms.yaml); the second refuses properties that it does not know. */
import Type, { type Static } from 'typebox';

const sendCode = {
  phoneNumber: Type.String({
    pattern: '^\\+[1-9][0-9]{4,14}$',
    description: 'A telephone number in E.164 format, such as +14155550123',
  }),
  message: Type.String({
    pattern: '\\{\\{code\\}\\}',
    maxLength: 160,
    description: 'A text of at most 160 characters with {{code}} in it',
  }),
};

const validateCode = {
  authenticationId: Type.String({ minLength: 1, maxLength: 36 }),
  code: Type.String({ minLength: 1, maxLength: 10 }),
};

const CLOSED = { additionalProperties: false };

export const BODIES = {
  v1: { sendCode: Type.Object(sendCode), validateCode: Type.Object(validateCode) },
  v2: { sendCode: Type.Object(sendCode, CLOSED), validateCode: Type.Object(validateCode, CLOSED) },
};

export type SendCodeBody = Static<(typeof BODIES)['v1']['sendCode']>;
export type ValidateCodeBody = Static<(typeof BODIES)['v1']['validateCode']>;
