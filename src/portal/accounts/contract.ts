/** Accounts. */
import Type, { type Static } from 'typebox';
import { Id, Name, Role } from '../../operations/contract.ts';

/** POST /portal/api/accounts: an owner of any account may create another. Answers 201 with it. */
export const NewAccount = Type.Object({ name: Name });
export type NewAccount = Static<typeof NewAccount>;
export const AccountView = Type.Object({ id: Id, name: Name, role: Role });
export type AccountView = Static<typeof AccountView>;
