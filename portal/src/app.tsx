import { lazy, Suspense } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { AccountPages } from './frame/account-pages.tsx';
import { SignedIn } from './frame/signed-in.tsx';
import { Loading } from './parts/loading.tsx';

const SignIn = lazy(() => import('./pages/sign-in/page.tsx'));
const Setup = lazy(() => import('./pages/setup/page.tsx'));
const Reset = lazy(() => import('./pages/reset/page.tsx'));
const Invitation = lazy(() => import('./pages/invitation/page.tsx'));
const Home = lazy(() => import('./pages/home/page.tsx'));
const Me = lazy(() => import('./pages/me/page.tsx'));
const NewAccount = lazy(() => import('./pages/new-account/page.tsx'));
const NotFound = lazy(() => import('./pages/not-found/page.tsx'));

export function App() {
  return (
    <Router base="/portal">
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/sign-in" component={SignIn} />
          <Route path="/setup" component={Setup} />
          <Route path="/reset" component={Reset} />
          <Route path="/invitation" component={Invitation} />
          <Route path="/accounts/:account/*?">
            {({ account }) => <SignedIn>{(me) => <AccountPages me={me} id={account} />}</SignedIn>}
          </Route>
          <Route path="/me">{() => <SignedIn>{(me) => <Me me={me} />}</SignedIn>}</Route>
          <Route path="/new-account">{() => <SignedIn>{(me) => <NewAccount me={me} />}</SignedIn>}</Route>
          <Route path="/">{() => <SignedIn>{(me) => <Home me={me} />}</SignedIn>}</Route>
          <Route path="/index.html">
            <Redirect to="/" replace />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Router>
  );
}
