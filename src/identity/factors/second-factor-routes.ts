/** /portal/api/me/totp and /recovery-codes: the second factor after a password. */
import { auditPersonStep } from '../../accounts/audit.ts';
import { lockPerson } from '../../accounts/people.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { refuseConflict, refuseField } from '../../operations/refusal.ts';
import { personOf } from '../access.ts';
import { identityOperation } from '../operation.ts';
import { RecoveryCodes, TotpCode, TotpSecret } from './contract.ts';
import { dropRecoveryCodes, mintRecoveryCodes } from './recovery-codes.ts';
import { totpUri } from './totp.ts';
import { beginTotp, confirmTotp, dropTotp, findTotp } from './totp-secret.ts';

const WRONG_CODE: FieldFault = {
  code: 'no_match',
  detail: 'is not the one that the authenticator shows now',
};

export const secondFactor = {
  beginTotp: identityOperation({
    summary: 'Start to add an authenticator',
    description: 'Sign-in asks for it after a code has been confirmed.',
    response: { 200: TotpSecret },
    problems: ['conflict'],
    handler: async (request, { records, keyring }) => {
      const { personId, email } = personOf(request);
      const { secret, step } = beginTotp({ records, keyring }, personId);
      const answer = await records.transact([step]);
      if (!answer.done) return refuseConflict('You already have an authenticator. Remove it first.');
      return { secret, uri: totpUri(secret, email) };
    },
  }),

  confirmTotp: identityOperation({
    summary: 'Confirm the authenticator with a code',
    description: 'From now on sign-in asks for it. The recovery codes are shown only once.',
    body: TotpCode,
    response: { 200: RecoveryCodes },
    problems: ['conflict'],
    handler: async (request, deps) => {
      const { personId, address } = personOf(request);
      const { clock, records } = deps;
      const now = clock.wall();
      const confirm = await confirmTotp(deps, { personId, code: request.body.code }, now);
      if (confirm === undefined) return refuseField('code', WRONG_CODE);
      const recovery = mintRecoveryCodes(records, personId);
      const answer = await records.transact([
        lockPerson(personId),
        confirm,
        ...recovery.steps,
        auditPersonStep(records, { personId, address, action: 'totp.added', at: now }),
      ]);
      if (!answer.done) return refuseConflict('Another authenticator was started in the meantime.');
      return { recovery_codes: [...recovery.codes] };
    },
  }),

  removeTotp: identityOperation({
    summary: 'Remove the authenticator',
    description: 'This removes its recovery codes as well.',
    response: { 204: NoContent },
    handler: async (request, { clock, records }) => {
      const { personId, address } = personOf(request);
      await records.transact([
        lockPerson(personId),
        dropTotp(personId),
        dropRecoveryCodes(personId),
        auditPersonStep(records, { personId, address, action: 'totp.removed', at: clock.wall() }),
      ]);
      return DONE;
    },
  }),

  renewRecoveryCodes: identityOperation({
    summary: 'Create new recovery codes',
    description: 'The old ones stop working.',
    response: { 200: RecoveryCodes },
    problems: ['conflict'],
    handler: async (request, { clock, records }) => {
      const { personId, address } = personOf(request);
      const recovery = mintRecoveryCodes(records, personId);
      const answer = await records.transact([
        lockPerson(personId),
        findTotp(personId),
        ...recovery.steps,
        auditPersonStep(records, { personId, address, action: 'recovery-codes.renewed', at: clock.wall() }),
      ]);
      if (!answer.done) return refuseConflict('You have no authenticator, so there are no recovery codes.');
      return { recovery_codes: [...recovery.codes] };
    },
  }),
};
