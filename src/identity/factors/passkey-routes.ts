/** /portal/api/me/passkeys: adds and removes passkeys. */
import Type from 'typebox';
import { auditPersonStep } from '../../accounts/audit.ts';
import { lockPerson } from '../../accounts/people.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { refuse, refuseConflict, refuseField } from '../../operations/refusal.ts';
import { personOf } from '../access.ts';
import { identityOperation } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import { NewPasskey, Passkey, PasskeyCreation } from './contract.ts';
import { dropPasskey, readRegistration, registrationOptions } from './passkeys.ts';

/** Authenticators choose the ids of passkeys: up to 1023 bytes (WebAuthn, section 4), as base64url. */
const PasskeyId = Type.String({ minLength: 1, maxLength: 1_364 });

const WRONG_PASSKEY: FieldFault = { code: 'no_match', detail: 'does not match the challenge' };

export const passkeys = {
  beginPasskey: identityOperation({
    summary: 'Get the challenge for a new passkey',
    description: 'For the browser, which makes the passkey with it.',
    response: { 200: PasskeyCreation },
    handler: async (request, deps) => {
      const { personId: id, email, personName: name } = personOf(request);
      const site = { origin: ownOrigin(request) };
      const now = deps.clock.wall();
      return { options: await registrationOptions(deps, site, { id, email, name }, now) };
    },
  }),

  addPasskey: identityOperation({
    summary: 'Add a passkey',
    description: 'With what the browser made for the challenge.',
    body: NewPasskey,
    response: { 201: Passkey },
    problems: ['conflict'],
    handler: async (request, { clock, records, keyring }) => {
      const { personId, address } = personOf(request);
      const now = clock.wall();
      const { response } = request.body;
      const name = request.body.name.trim();
      const passkey = await readRegistration(
        keyring,
        { origin: ownOrigin(request) },
        { personId, name, response },
        now,
      );
      if (passkey === undefined) return refuseField('response', WRONG_PASSKEY);
      const answer = await records.transact([
        lockPerson(personId),
        ...passkey.steps,
        auditPersonStep(records, { personId, address, action: 'passkey.added', detail: name, at: now }),
      ]);
      if (!answer.done) {
        return refuseConflict(
          'This challenge was already used, this passkey is already registered, or you have too many passkeys.',
        );
      }
      const created = new Date(now).toISOString();
      return { id: passkey.id, name, created_at: created, last_used_at: null };
    },
  }),

  removePasskey: identityOperation({
    summary: 'Remove a passkey',
    description: 'It no longer signs anybody in.',
    params: { id: PasskeyId },
    response: { 204: NoContent },
    problems: ['not-found'],
    handler: async (request, { clock, records }) => {
      const { personId, address } = personOf(request);
      const answer = await records.transact([
        lockPerson(personId),
        dropPasskey(personId, request.params.id),
        auditPersonStep(records, { personId, address, action: 'passkey.removed', at: clock.wall() }),
      ]);
      return answer.done ? DONE : refuse('not-found');
    },
  }),
};
