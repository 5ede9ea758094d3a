import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import type { Passkey } from '#contract/factors.ts';
import { useAct } from '../../api/hooks.ts';
import { registerPasskey } from '../../api/passkey.ts';
import { formatDay } from '../../format/time.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Section } from '../../parts/page/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
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
      beside
      title="Passkeys"
      about="Sign in with your fingerprint, face or a security key. A passkey counts as both factors and cannot be phished."
    >
      {passkeys.length === 0 ? (
        <Empty title="No passkeys yet">
          Add one below. A second one on another device helps if you lose the first.
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
              <RowButton name={`Remove ${passkey.name}`} onClick={() => setLeaving(passkey)}>
                Remove
              </RowButton>
            </li>
          ))}
        </ul>
      )}
      <Box mt="md">
        <Form
          label="Add a passkey"
          plain
          submit={async (values) => {
            const name = textOf(values, 'name').trim();
            const { options: asked } = await options.mutateAsync({});
            await add.mutateAsync({ body: { name, response: await registerPasskey(asked) } });
            toast(`The passkey ${name} was added`);
          }}
        >
          <TextField
            name="name"
            label="Name of the new passkey"
            placeholder="Work laptop"
            required
            maxLength={80}
            fits="words"
          />
        </Form>
      </Box>
      {leaving !== undefined && (
        <Confirm
          title={`Remove “${leaving.name}”`}
          label="Remove the passkey"
          onClose={() => setLeaving(undefined)}
          act={() => remove.mutateAsync({ params: { id: leaving.id } })}
          done={`The passkey ${leaving.name} was removed`}
        >
          You can no longer sign in with it. Remove it from your device too, or the device will still offer
          it.
        </Confirm>
      )}
    </Section>
  );
}
