import { Badge, Code } from '@mantine/core';
import { useAsk } from '../../api/hooks.ts';
import { formatDay, formatMinute } from '../../format/time.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Fact, Facts, Outcome } from '../../parts/fact.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { StateBadge, StateWords } from '../webhooks/state-words.tsx';
import { typesWords } from '../webhooks/words.ts';
import { Changes } from './changes.tsx';
import { MessageTable } from './message-table.tsx';

const EVERY_MS = 5_000;

export default function WebhookPage({ id }: { readonly id: string }) {
  const account = useAccount();
  const mayChange = useMay('developer');
  const found = useAsk('GET accounts/:account/webhooks/:id', { params: { id } }, { every: EVERY_MS });
  return (
    <Page
      title="Endpoint"
      about={<Code>{found.data?.url ?? id}</Code>}
      above={{ name: 'Webhooks', to: `/accounts/${account.id}/webhooks` }}
    >
      <Answer of={found}>
        {(webhook) => (
          <>
            <Outcome>
              <StateBadge state={webhook.state} />
              <span>
                <StateWords webhook={webhook} />
              </span>
            </Outcome>
            <Facts>
              <Fact name="Events">{typesWords(webhook.types)}</Fact>
              <Fact name="Numbers">
                {webhook.full_numbers ? <Badge variant="default">In full</Badge> : 'Masked'}
              </Fact>
              {webhook.previous_secret_until !== null && (
                <Fact name="Secret">
                  Rotated. Until {formatMinute(webhook.previous_secret_until)}, the previous one signs, too.
                </Fact>
              )}
              <Fact name="Added">{formatDay(webhook.created_at)}</Fact>
            </Facts>
            {mayChange && <Changes webhook={webhook} />}
            <Section
              title="Messages"
              about="Of the last days, the newest first. Your server recognises a message that it got before by its id."
            >
              <MessageTable webhook={webhook} mayChange={mayChange} />
            </Section>
          </>
        )}
      </Answer>
    </Page>
  );
}
