import { Text } from '@mantine/core';
import { useState } from 'react';
import type { LinkedIdentity } from '#contract/oidc.ts';
import { useAct } from '../../api/hooks.ts';
import { formatDay } from '../../format/time.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Section } from '../../parts/page/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { When } from '../../parts/when.tsx';
import css from './list.module.css';

const hostOf = ({ issuer }: LinkedIdentity): string => new URL(issuer).host;

export function Identities({ identities }: { readonly identities: readonly LinkedIdentity[] }) {
  const unlink = useAct('DELETE me/identities/:id');
  const [leaving, setLeaving] = useState<LinkedIdentity>();
  return (
    <Section
      beside
      title="Single sign-on"
      about="Providers that you can sign in with. Each counts as both factors."
    >
      <ul className={css.list} aria-label="Single sign-on">
        {identities.map((identity) => (
          <li key={identity.id}>
            <div>
              <Text fw={600}>{hostOf(identity)}</Text>
              <Text size="sm" c="dimmed">
                Linked {formatDay(identity.created_at)}, used <When at={identity.last_used_at} />
              </Text>
            </div>
            <RowButton name={`Unlink ${hostOf(identity)}`} onClick={() => setLeaving(identity)}>
              Unlink
            </RowButton>
          </li>
        ))}
      </ul>
      {leaving !== undefined && (
        <Confirm
          title={`Unlink ${hostOf(leaving)}`}
          label="Unlink"
          onClose={() => setLeaving(undefined)}
          act={() => unlink.mutateAsync({ params: { id: leaving.id } })}
          done={`${hostOf(leaving)} was unlinked`}
        >
          You can no longer sign in with it. If you do so again with your verified email address, it is linked
          again.
        </Confirm>
      )}
    </Section>
  );
}
