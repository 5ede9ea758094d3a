import { useEffect } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Me } from '#contract/me.ts';
import { NotFound, SECTIONS } from '../pages.ts';
import { AccountContext, rememberAccount } from './account.ts';
import { Frame } from './frame.tsx';

const PAGES = SECTIONS.flatMap(({ pages }) => pages);

export function AccountPages({ me, id }: { readonly me: Me; readonly id: string }) {
  const account = me.accounts.find((one) => one.id === id);
  const isTheirs = account !== undefined;
  useEffect(() => {
    if (isTheirs) rememberAccount(id);
  }, [isTheirs, id]);
  if (account === undefined) return <NotFound />;
  return (
    // With the key, nothing that was typed or shown for one account stays for another.
    <AccountContext value={account} key={account.id}>
      <Frame me={me}>
        <Switch>
          <Route path="/accounts/:account">
            <Redirect to={`/accounts/${id}/overview`} replace />
          </Route>
          {PAGES.map(({ path, Page }) => (
            <Route key={path} path={`/accounts/:account/${path}`}>
              <Page me={me} />
            </Route>
          ))}
          {PAGES.map(
            ({ path, One }) =>
              One !== undefined && (
                <Route key={`${path}/:id`} path={`/accounts/:account/${path}/:id`}>
                  {(at) => <One key={at.id} id={at.id} />}
                </Route>
              ),
          )}
          <Route component={NotFound} />
        </Switch>
      </Frame>
    </AccountContext>
  );
}
