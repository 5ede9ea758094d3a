import type { ComponentType } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import type { Me as Person } from '#contract/me.ts';
import { AccountPages } from './frame/account-pages.tsx';
import { Alone } from './frame/alone.tsx';
import { Boundary } from './frame/broken/boundary.tsx';
import { Broken } from './frame/broken/broken.tsx';
import { lazyPage } from './frame/broken/lazy-page.tsx';
import { JumpBack } from './frame/palette/jump.tsx';
import { SignedIn } from './frame/signed-in.tsx';

const SignIn = lazyPage(() => import('./pages/sign-in/page.tsx'));
const Setup = lazyPage(() => import('./pages/setup/page.tsx'));
const Reset = lazyPage(() => import('./pages/reset/page.tsx'));
const Invitation = lazyPage(() => import('./pages/invitation/page.tsx'));
const Home = lazyPage(() => import('./pages/home/page.tsx'));
const Me = lazyPage(() => import('./pages/me/page.tsx'));
const NewAccount = lazyPage(() => import('./pages/new-account/page.tsx'));
const NotFound = lazyPage(() => import('./pages/not-found/page.tsx'));

export function App() {
  const [at] = useLocation();
  return (
    <Router base="/portal">
      <Boundary
        at={at}
        fallback={(error) => (
          <Alone>
            <Broken error={error} />
          </Alone>
        )}
      >
        <Switch>
          <Route path="/sign-in" component={SignIn} />
          <Route path="/setup" component={Setup} />
          <Route path="/reset" component={Reset} />
          <Route path="/invitation" component={Invitation} />
          <Route path="/accounts/:account/*?">
            {({ account }) => <SignedIn>{(me) => <AccountPages me={me} id={account} />}</SignedIn>}
          </Route>
          <Route path="/me">{() => <SignedIn>{(me) => <Outside me={me} page={Me} />}</SignedIn>}</Route>
          <Route path="/new-account">
            {() => <SignedIn>{(me) => <Outside me={me} page={NewAccount} />}</SignedIn>}
          </Route>
          <Route path="/">{() => <SignedIn>{(me) => <Home me={me} />}</SignedIn>}</Route>
          <Route path="/index.html">
            <Redirect to="/" replace />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Boundary>
    </Router>
  );
}

interface OutsideProps {
  readonly me: Person;
  readonly page: ComponentType<{ me: Person }>;
}

/** A page of somebody's own, which belongs to no account. */
function Outside({ me, page: Page }: OutsideProps) {
  return (
    <>
      <JumpBack me={me} />
      <Page me={me} />
    </>
  );
}
