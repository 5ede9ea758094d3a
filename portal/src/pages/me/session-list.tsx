import { Badge, Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Sessions } from '#contract/me.ts';
import { call } from '../../api/call.ts';
import { useAct, useAsk } from '../../api/hooks.ts';
import { Answer } from '../../parts/answer.tsx';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Failure } from '../../parts/page/failure.tsx';
import { Section } from '../../parts/page/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { useToast } from '../../parts/toast.tsx';
import { forgetChanges } from '../../parts/unsaved/leave.ts';
import { When } from '../../parts/when.tsx';
import css from './list.module.css';

const METHOD: Record<Sessions[number]['method'], string> = {
  password: 'password',
  'password+totp': 'password and authenticator app',
  passkey: 'passkey',
  oidc: 'single sign-on',
};

export function SessionList() {
  const sessions = useAsk('GET me/sessions', {});
  const end = useAct('DELETE me/sessions/:id');
  const toast = useToast();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [ending, setEnding] = useState(false);
  return (
    <Section
      beside
      title="Where you are signed in"
      actions={
        <Button variant="default" size="xs" onClick={() => setEnding(true)}>
          Sign out everywhere
        </Button>
      }
    >
      {end.isError && <Failure error={end.error} />}
      <Answer of={sessions} lines={3}>
        {(list) => (
          <ul className={css.list} aria-label="Sessions">
            {list.map((session) => (
              <li key={session.id}>
                <div>
                  <Text fw={600} component="div">
                    {session.agent} {session.current && <Badge variant="light">This session</Badge>}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {session.address}, with {METHOD[session.method]}, last used{' '}
                    <When at={session.last_used_at} />
                  </Text>
                </div>
                {!session.current && (
                  <RowButton
                    name={`Sign out ${session.agent} at ${session.address}`}
                    onClick={() =>
                      end.mutate(
                        { params: { id: session.id } },
                        { onSuccess: () => toast('The session was ended') },
                      )
                    }
                  >
                    Sign out
                  </RowButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      {ending && (
        <Confirm
          title="Sign out everywhere"
          label="Sign out everywhere"
          onClose={() => setEnding(false)}
          act={async () => {
            await call('DELETE me/sessions', undefined, {});
            forgetChanges();
            navigate('/sign-in');
            client.clear();
          }}
        >
          This ends all your sessions, including this one.
        </Confirm>
      )}
    </Section>
  );
}
