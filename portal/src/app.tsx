import type { ComponentType } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import type { Me as Person } from '#contract/me.ts';
import { AccountPages } from './frame/account-pages.tsx';
import { Alone } from './frame/alone.tsx';
import { Boundary } from './frame/broken/boundary.tsx';
import { Broken } from './frame/broken/broken.tsx';
import { GuideContext } from './frame/documentation.tsx';
import { JumpBack } from './frame/palette/jump.tsx';
import { SignedIn } from './frame/signed-in.tsx';
import { guideOf, Home, NotFound, OPEN_PAGES, OWN_PAGES } from './pages.ts';
import { usePlace, useSearchOfPlace } from './parts/unsaved/place.ts';
import { LeaveQuestion } from './parts/unsaved/question.tsx';

export function App() {
  const [at] = usePlace();
  return (
    <Router base="/portal" hook={usePlace} searchHook={useSearchOfPlace}>
      <GuideContext value={guideOf}>
        <LeaveQuestion />
        <Boundary
          at={at}
          fallback={(error) => (
            <Alone>
              <Broken error={error} />
            </Alone>
          )}
        >
          <Switch>
            {OPEN_PAGES.map(({ path, Page }) => (
              <Route key={path} path={`/${path}`} component={Page} />
            ))}
            <Route path="/accounts/:account/*?">
              {({ account }) => <SignedIn>{(me) => <AccountPages me={me} id={account} />}</SignedIn>}
            </Route>
            {OWN_PAGES.map(({ path, Page }) => (
              <Route key={path} path={`/${path}`}>
                {() => <SignedIn>{(me) => <Outside me={me} page={Page} />}</SignedIn>}
              </Route>
            ))}
            <Route path="/">{() => <SignedIn>{(me) => <Home me={me} />}</SignedIn>}</Route>
            <Route path="/index.html">
              <Redirect to="/" replace />
            </Route>
            <Route component={NotFound} />
          </Switch>
        </Boundary>
      </GuideContext>
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
