import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import { Alone } from '../../frame/alone.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PasswordField } from '../../parts/fields.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { takeToken } from '../../parts/fragment.ts';
import { Page } from '../../parts/page.tsx';

export default function ResetPage() {
  const [token] = useState(takeToken);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return (
    <Alone>
      <Page title="Choose a new password">
        {token === '' ? (
          <Empty title="The link is incomplete">
            Copy the whole line that countersign portal reset printed, from https to the end.
          </Empty>
        ) : (
          <Form
            label="Set the password"
            submit={async (values) => {
              await call('POST reset', undefined, { body: { token, password: textOf(values, 'password') } });
              client.clear();
              navigate('/me', { replace: true });
            }}
          >
            <p>
              Your second factors and passkeys are removed, and you are signed out everywhere else. Set them
              up again on the next page.
            </p>
            <PasswordField
              name="password"
              label="New password"
              description="Twelve characters at least. A few words in a row are good."
              autoComplete="new-password"
              required
              minLength={12}
              maxLength={256}
            />
          </Form>
        )}
      </Page>
    </Alone>
  );
}
