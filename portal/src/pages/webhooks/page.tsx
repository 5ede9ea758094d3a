import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { WebhookSecret, WebhookView } from '#contract/webhooks.ts';
import { useAct, useAsk } from '../../api/hooks.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page } from '../../parts/page/page.tsx';
import { EndpointFields, endpointOf } from './endpoint-fields.tsx';
import css from './page.module.css';
import { ShowSecret } from './show-secret.tsx';
import { StateBadge, StateWords } from './state-words.tsx';
import { typesWords } from './words.ts';

const EVERY_MS = 15_000;

export default function Webhooks() {
  const webhooks = useAsk('GET accounts/:account/webhooks', {}, { every: EVERY_MS });
  const mayChange = useMay('developer');
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Webhooks"
      about="Your servers are told what becomes of each code: requested, sent, delivered, confirmed. Every message is signed, and is sent again until your server takes it."
      actions={mayChange && <Button onClick={() => setAdding(true)}>Add an endpoint</Button>}
    >
      <Answer of={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              title="No endpoints"
              action={
                mayChange && (
                  <Button size="xs" variant="default" onClick={() => setAdding(true)}>
                    Add your first endpoint
                  </Button>
                )
              }
            >
              An endpoint is an address of your own server. It hears of each code as it is requested, sent,
              delivered and confirmed, so that your server need not ask again and again.{' '}
              {!mayChange && 'Owners and developers can add endpoints.'}
            </Empty>
          ) : (
            <ul className={css.list} aria-label="Endpoints">
              {all.map((webhook) => (
                <Endpoint key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Answer>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Endpoint({ webhook }: { readonly webhook: WebhookView }) {
  const account = useAccount();
  return (
    <li className={css.endpoint}>
      <Group gap="xs">
        <Anchor component={Link} href={`/accounts/${account.id}/webhooks/${webhook.id}`} fw={600}>
          {webhook.url}
        </Anchor>
        <StateBadge state={webhook.state} />
        {webhook.full_numbers && <Badge variant="default">Full numbers</Badge>}
      </Group>
      <Text size="sm">
        <StateWords webhook={webhook} />
      </Text>
      <Text size="sm" c="dimmed">
        {typesWords(webhook.types)}
      </Text>
    </li>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const add = useAct('POST accounts/:account/webhooks');
  const [added, setAdded] = useState<WebhookSecret>();
  if (added !== undefined) return <ShowSecret {...added} onClose={onClose} />;
  return (
    <FormDialog
      title="Add an endpoint"
      onClose={onClose}
      label="Add the endpoint"
      submit={async (values) => setAdded(await add.mutateAsync({ body: endpointOf(values) }))}
    >
      <EndpointFields />
    </FormDialog>
  );
}
