import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { NewPasswordField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { takeToken } from '../../parts/fragment.ts';
import { Empty } from '../../parts/page/empty.tsx';

export default function ResetPage() {
  const [token] = useState(takeToken);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return (
    <AlonePage title="Choose a new password">
      {token === '' ? (
        <Empty title="The link is incomplete">
          Copy the whole link that countersign portal reset printed, from https to the end.
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
            This removes your second factors and passkeys and signs you out everywhere else. You can set them
            up again on the next page.
          </p>
          <NewPasswordField label="New password" />
        </Form>
      )}
    </AlonePage>
  );
}
