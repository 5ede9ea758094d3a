import { createContext, useContext } from 'react';
import type { AccountView } from '#contract/accounts.ts';
import type { Me } from '#contract/me.ts';

export const AccountContext = createContext<AccountView | undefined>(undefined);

/** Undefined on pages that belong to no account. */
export function useAccountId(): string | undefined {
  return useContext(AccountContext)?.id;
}

export function useAccount(): AccountView {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error('This part needs a page of an account.');
  return account;
}

const RANK = { viewer: 0, developer: 1, owner: 2 } as const;

/** Decides what is offered; the server decides what is allowed. */
export function useMay(role: AccountView['role']): boolean {
  return RANK[useAccount().role] >= RANK[role];
}

const LAST = 'countersign-account';

/** For pages that belong to no account. The tab keeps only the id. */
export const rememberAccount = (id: string): void => sessionStorage.setItem(LAST, id);

/** The account that was open last in this tab; the first one if there was none. */
export function lastAccountOf({ accounts }: Me): AccountView | undefined {
  const last = sessionStorage.getItem(LAST);
  return accounts.find(({ id }) => id === last) ?? accounts[0];
}
