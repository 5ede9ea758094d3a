import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Passkey } from '#contract/factors.ts';
import { useAct } from '../../api/hooks.ts';
import { registerPasskey } from '../../api/passkey.ts';
import { formatDay } from '../../format/time.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { Section } from '../../parts/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import css from './list.module.css';

export function Passkeys({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const options = useAct('POST me/passkeys/options');
  const add = useAct('POST me/passkeys');
  const remove = useAct('DELETE me/passkeys/:id');
  const toast = useToast();
  const [leaving, setLeaving] = useState<Passkey>();
  return (
    <Section
      title="Passkeys"
      about="Sign in with your fingerprint, face or a security key. Counts as both factors, and cannot be phished."
    >
      {passkeys.length === 0 ? (
        <Empty title="You have no passkey">
          Add one below. A second one, on another device, keeps you in when the first is lost.
        </Empty>
      ) : (
        <ul className={css.list} aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <Text fw={600}>{passkey.name}</Text>
                <Text size="sm" c="dimmed">
                  Added {formatDay(passkey.created_at)}, used <When at={passkey.last_used_at} never="never" />
                </Text>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => setLeaving(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={css.below}>
        <Form
          label="Add a passkey"
          submit={async (values) => {
            const name = textOf(values, 'name').trim();
            const { options: asked } = await options.mutateAsync({});
            await add.mutateAsync({ body: { name, response: await registerPasskey(asked) } });
            toast(`The passkey ${name} is added`);
          }}
        >
          <TextField
            name="name"
            label="Name of the new passkey"
            placeholder="Work laptop"
            required
            maxLength={80}
          />
        </Form>
      </div>
      {leaving !== undefined && (
        <Confirm
          title={`Remove “${leaving.name}”`}
          label="Remove the passkey"
          onClose={() => setLeaving(undefined)}
          act={async () => {
            await remove.mutateAsync({ params: { id: leaving.id } });
            toast(`The passkey ${leaving.name} is removed`);
          }}
        >
          It no longer signs you in. Remove it from the device too, where it will still be offered.
        </Confirm>
      )}
    </Section>
  );
}
