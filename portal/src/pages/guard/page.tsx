import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { GuardView } from '#contract/guard.ts';
import { useAsk } from '../../api/hooks.ts';
import { GUARD_WORDS } from '../../format/guard.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { ClosedTable } from './closed-table.tsx';
import { EventTable } from './event-table.tsx';
import { EvidenceChart } from './evidence-chart.tsx';
import css from './page.module.css';
import { RefusedTable } from './refused-table.tsx';
import { Rules } from './rules.tsx';
import { SavedByDay } from './saved-by-day.tsx';
import { TryIt } from './try-it.tsx';

const EVERY_MS = 15_000;

export default function GuardPage() {
  const view = useAsk('GET accounts/:account/guard', {}, { every: EVERY_MS });
  const mayTry = useMay('developer');
  return (
    <Page
      title="Guard"
      about="Bots ask for codes that nobody will ever type, and you pay for each. The guard refuses codes where others were not confirmed."
    >
      <Answer of={view} lines={8}>
        {(guard) => (
          <>
            <Mode mode={guard.mode} />
            {guard.brings && <Brought />}
            <Section title="Refused in the last day" about="By place and reason, the latest first.">
              {guard.refused.length === 0 ? (
                <Empty title="Nothing was refused">
                  {guard.days.length === 0
                    ? 'Every code was sent. Once codes to a range, a country or a network stay unconfirmed, the guard refuses more of them, and says here where and why.'
                    : 'Not in the last day.'}
                </Empty>
              ) : (
                <RefusedTable refused={guard.refused} more={guard.more} />
              )}
            </Section>
            {guard.closed.length > 0 && (
              <Section
                title="Closed now"
                about="A single message tries a closed place now and then. When people confirm, it opens by itself."
              >
                <ClosedTable closed={guard.closed} />
              </Section>
            )}
            <EvidenceChart refused={guard.refused} />
            {guard.days.length > 0 && <SavedByDay days={guard.days} currency={guard.currency} />}
            {guard.events.length > 0 && (
              <Section title="What happened">
                <EventTable events={guard.events} />
              </Section>
            )}
          </>
        )}
      </Answer>
      <Rules />
      {mayTry && <TryIt />}
    </Page>
  );
}

function Brought() {
  return (
    <Text size="sm">
      Keys of this account may bring codes that another system judges (hooks, <code>custom_code</code>). As
      long as they are not confirmed here, the guard sees when many new numbers of one range are asked for,
      and places that other codes closed. Slow pumping, and attacks on numbers all over a country, it does not
      see: set a budget.
    </Text>
  );
}

function Mode({ mode: { account, service } }: Pick<GuardView, 'mode'>) {
  const { id } = useAccount();
  const mayChange = useMay('owner');
  const { label, means } = GUARD_WORDS[account ?? service];
  return (
    <div className={css.mode}>
      <Badge variant="light" color={(account ?? service) === 'enforce' ? 'green' : 'yellow'}>
        {label}
      </Badge>
      <Text size="sm">
        {means} {account === null ? 'This is the service’s default.' : 'This account chose that.'}{' '}
        {mayChange && (
          <Anchor component={Link} href={`/accounts/${id}/settings`} underline="always" inherit>
            Change it in the settings
          </Anchor>
        )}
      </Text>
    </div>
  );
}
