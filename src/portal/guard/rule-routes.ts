/** /portal/api/accounts/:account/guard/rules: the operator's own rules, which beat the guard. Owners change them. */
import {
  addGuardRule,
  liftGuardRule,
  listGuardRules,
  MAX_GUARD_RULES,
} from '../../accounts/guarding/guard-rules.ts';
import { memberOf } from '../../identity/access.ts';
import { Id } from '../../operations/contract.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { formatInstant, formatOptional } from '../../operations/instant.ts';
import { refuse, refuseConflict, refuseField } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import { GuardRuleRequest, GuardRules } from './contract.ts';

export const guardRules = {
  listGuardRules: operation({
    summary: 'List the rules of an account that beat the guard',
    description: 'Those in force, newest first. Numbers are masked.',
    response: { 200: GuardRules },
    handler: async (request, { clock, records, keyring }) => {
      const { accountId } = memberOf(request);
      const rules = await listGuardRules({ records, keyring }, { accountId, now: clock.now() });
      return rules.map(({ id, action, subject, value, endsAt, reason, madeBy, createdAt }) => ({
        ...{ id, action, subject, value, reason },
        ends_at: formatOptional(endsAt),
        made_by: madeBy,
        created_at: formatInstant(createdAt),
      }));
    },
  }),

  addGuardRule: operation({
    summary: 'Add a rule that beats the guard',
    description: 'Allows, denies or pauses what the account sends. Takes effect within a second.',
    body: GuardRuleRequest,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, { clock, keyring }) => {
      const by = memberOf(request);
      const { ends_at, ...rule } = request.body;
      const endsAt = ends_at === null ? null : Date.parse(ends_at);
      const { accountId, records } = by;
      const added = await addGuardRule(
        { records, keyring },
        { ...rule, accountId, endsAt, by, now: clock.now() },
      );
      switch (added.kind) {
        case 'added':
          return DONE;
        case 'wrong': {
          const { field, ...fault } = added.error;
          return refuseField(field === 'endsAt' ? 'ends_at' : field, fault);
        }
        case 'too-many':
          return refuseConflict(`There are ${MAX_GUARD_RULES} rules, which is the maximum. Lift one.`);
      }
    },
  }),

  liftGuardRule: operation({
    summary: 'Lift a rule that beats the guard',
    description: 'Takes effect within a second.',
    params: { id: Id },
    response: { 204: NoContent },
    handler: async (request, { clock }) => {
      const by = memberOf(request);
      const { accountId, records } = by;
      const { id } = request.params;
      const isLifted = await liftGuardRule({ records }, { accountId, id, by, now: clock.now() });
      return isLifted ? DONE : refuse('not-found');
    },
  }),
};
