/** A new password for people who can no longer sign in. */
import Type, { type Static } from 'typebox';
import { OneTimeToken, Password } from '../../operations/contract.ts';

/** POST /portal/api/reset, with the token of the link that `countersign portal reset` prints. Answers 204 with a session. */
export const Reset = Type.Object({ token: OneTimeToken, password: Password });
export type Reset = Static<typeof Reset>;
