import { createContext, useContext } from 'react';
import type { Account } from '#contract/accounts.ts';

export const AccountContext = createContext<Account | undefined>(undefined);

/** Undefined on pages that belong to no account. */
export function useAccountId(): string | undefined {
  return useContext(AccountContext)?.id;
}

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error('This part needs a page of an account.');
  return account;
}

const RANK = { viewer: 0, developer: 1, owner: 2 } as const;

/** Decides what is offered; the server decides what is allowed. */
export function useMay(role: Account['role']): boolean {
  return RANK[useAccount().role] >= RANK[role];
}
