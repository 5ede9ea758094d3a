import { useEffect } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Me } from '#contract/me.ts';
import { AccountContext, rememberAccount } from './account.ts';
import { lazyPage } from './broken/lazy-page.tsx';
import { Frame } from './frame.tsx';

const Overview = lazyPage(() => import('../pages/overview/page.tsx'));
const Handset = lazyPage(() => import('../pages/handset/page.tsx'));
const Keys = lazyPage(() => import('../pages/keys/page.tsx'));
const Verifications = lazyPage(() => import('../pages/verifications/page.tsx'));
const Verification = lazyPage(() => import('../pages/verification/page.tsx'));
const Carriers = lazyPage(() => import('../pages/carriers/page.tsx'));
const Guard = lazyPage(() => import('../pages/guard/page.tsx'));
const DoNotSend = lazyPage(() => import('../pages/do-not-send/page.tsx'));
const Webhooks = lazyPage(() => import('../pages/webhooks/page.tsx'));
const Webhook = lazyPage(() => import('../pages/webhook/page.tsx'));
const Alerts = lazyPage(() => import('../pages/alerts/page.tsx'));
const People = lazyPage(() => import('../pages/people/page.tsx'));
const Audit = lazyPage(() => import('../pages/audit/page.tsx'));
const DataRequests = lazyPage(() => import('../pages/data-requests/page.tsx'));
const Settings = lazyPage(() => import('../pages/settings/page.tsx'));
const NotFound = lazyPage(() => import('../pages/not-found/page.tsx'));

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
          <Route path="/accounts/:account/overview" component={Overview} />
          <Route path="/accounts/:account/handset" component={Handset} />
          <Route path="/accounts/:account/keys" component={Keys} />
          <Route path="/accounts/:account/verifications" component={Verifications} />
          <Route path="/accounts/:account/verifications/:id">
            {(at) => <Verification key={at.id} id={at.id} />}
          </Route>
          <Route path="/accounts/:account/carriers" component={Carriers} />
          <Route path="/accounts/:account/guard" component={Guard} />
          <Route path="/accounts/:account/do-not-send" component={DoNotSend} />
          <Route path="/accounts/:account/webhooks" component={Webhooks} />
          <Route path="/accounts/:account/webhooks/:id">{(at) => <Webhook key={at.id} id={at.id} />}</Route>
          <Route path="/accounts/:account/alerts" component={Alerts} />
          <Route path="/accounts/:account/people">{() => <People me={me} />}</Route>
          <Route path="/accounts/:account/audit" component={Audit} />
          <Route path="/accounts/:account/data-requests" component={DataRequests} />
          <Route path="/accounts/:account/settings" component={Settings} />
          <Route component={NotFound} />
        </Switch>
      </Frame>
    </AccountContext>
  );
}
