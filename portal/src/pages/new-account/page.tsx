import { Anchor } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import type { Me } from '#contract/me.ts';
import { useAct } from '../../api/hooks.ts';
import { lastAccountOf } from '../../frame/account.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';

export default function NewAccount({ me }: { readonly me: Me }) {
  const create = useAct('POST accounts');
  const toast = useToast();
  const [, navigate] = useLocation();
  return (
    <AlonePage
      title="Add an account"
      about="Each account has its own keys, limits, settings and members, and sees nothing of the others. You become its owner."
    >
      <Form
        label="Add the account"
        beside={
          <Anchor component={Link} href={`/accounts/${lastAccountOf(me)?.id ?? ''}`}>
            Back
          </Anchor>
        }
        submit={async (values) => {
          const account = await create.mutateAsync({ body: { name: textOf(values, 'name') } });
          toast(`The account ${account.name} is ready`);
          navigate(`/accounts/${account.id}/overview`);
        }}
      >
        <TextField name="name" label="Name" required maxLength={80} placeholder="Acme staging" />
      </Form>
    </AlonePage>
  );
}
