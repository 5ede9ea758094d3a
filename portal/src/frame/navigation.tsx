import { Alert, Anchor, Badge, Button, NativeSelect, Text, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type { Me } from '#contract/me.ts';
import { call } from '../api/call.ts';
import { useAsk } from '../api/hooks.ts';
import { problemOf } from '../api/problem.ts';
import { SECTIONS } from '../pages.ts';
import { forgetChanges, leave } from '../parts/unsaved/leave.ts';
import { useAccount, useMay } from './account.ts';
import { Documentation } from './documentation.tsx';
import css from './navigation.module.css';

const NEW_ACCOUNT = '+';

export function Navigation({ me }: { readonly me: Me }) {
  const account = useAccount();
  const may = { viewer: true, developer: useMay('developer'), owner: useMay('owner') };
  const [location, navigate] = useLocation();
  const { signOut, failed } = useSignOut();
  const base = `/accounts/${account.id}`;
  const go = (id: string) => navigate(id === NEW_ACCOUNT ? '/new-account' : `/accounts/${id}/overview`);
  return (
    <div className={css.navigation}>
      <NativeSelect
        aria-label="Account"
        value={account.id}
        onChange={(event) => go(event.currentTarget.value)}
      >
        {me.accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {may.owner && <option value={NEW_ACCOUNT}>Add an account…</option>}
      </NativeSelect>
      <nav aria-label="Pages">
        {SECTIONS.map(({ name: section, pages }) => (
          <section key={section} aria-label={section} className={css.section}>
            <p className={css.heading} aria-hidden="true">
              {section}
            </p>
            <ul className={css.pages}>
              {pages
                .filter(({ least }) => may[least])
                .map(({ path, name, sign }) => (
                  <li key={path}>
                    <Link
                      href={`${base}/${path}`}
                      className={css.page}
                      aria-current={location.startsWith(`${base}/${path}`) ? 'page' : undefined}
                    >
                      <PageIcon sign={sign} />
                      {name}
                      {path === 'alerts' && <Firing />}
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className={css.foot}>
        <div className={css.who}>
          <Anchor component={Link} href="/me" size="sm" fw={600} c="inherit">
            {me.name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {account.role} of {account.name}
          </Text>
        </div>
        <div className={css.tools}>
          <Scheme />
          <Button variant="default" size="xs" onClick={signOut}>
            Sign out
          </Button>
        </div>
        <Documentation />
        {failed !== null && (
          <Alert color="red" title="You may still be signed in" role="alert">
            {failed.title}.
          </Alert>
        )}
      </div>
    </div>
  );
}

const COUNT_EVERY_MS = 60_000;

/** How many alerts fire, where any does. */
function Firing() {
  const { data } = useAsk('GET accounts/:account/alerts/count', {}, { every: COUNT_EVERY_MS });
  if (data === undefined || data.firing === 0) return null;
  return (
    <Badge color="red" variant="light" size="sm" ml="auto" aria-label={`${data.firing} firing`}>
      {data.firing}
    </Badge>
  );
}

function useSignOut() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  function goOut(): void {
    forgetChanges();
    navigate('/sign-in');
    // Nothing that this person saw stays in memory.
    client.clear();
  }
  const { mutate, error } = useMutation({
    // Nothing is read again after it: there is nobody to read it.
    mutationFn: () => call('DELETE session', undefined, {}),
    onSuccess: goOut,
    // Without a session they are signed out already. After any other error they may not be.
    onError: (reason) => problemOf(reason).kind === 'not-signed-in' && goOut(),
  });
  const signOut = () => leave(document, () => mutate());
  return { signOut, failed: error === null ? null : problemOf(error) };
}

/** A page's sign, on a grid of 16. */
function PageIcon({ sign }: { readonly sign: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={sign} />
    </svg>
  );
}

/** The browser remembers the choice; until there is one, the system decides. */
function Scheme() {
  // Mantine would stop transitions with a style tag, which the policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <NativeSelect
      aria-label="Appearance"
      size="xs"
      value={colorScheme}
      onChange={({ currentTarget: { value } }) =>
        setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')
      }
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}
