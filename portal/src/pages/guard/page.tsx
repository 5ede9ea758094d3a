import { Anchor, Badge, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { GuardView } from '#contract/guard.ts';
import { useAsk } from '../../api/hooks.ts';
import { Bars } from '../../charts/bars.tsx';
import { GUARD_WORDS, placeWords } from '../../format/guard.ts';
import { formatCount, formatMoney, NONE } from '../../format/number.ts';
import { formatDay, formatDayOfMonth, formatInstant } from '../../format/time.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { When } from '../../parts/when.tsx';
import { lastDays } from './days.ts';
import { EvidenceChart } from './evidence-chart.tsx';
import css from './page.module.css';
import { RefusedTable } from './refused-table.tsx';
import { Rules } from './rules.tsx';
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

const FIGURES = ['Sent', 'Confirmed', 'Tries that failed'];

function ClosedTable({ closed }: Pick<GuardView, 'closed'>) {
  return (
    <ScrollingTable label="Closed" columns={['Where', ...FIGURES, 'Next try']} figures={FIGURES} stacked>
      {closed.map(({ place, sent, confirmed, probes, next_probe_at }) => (
        <Table.Tr key={place.name}>
          <Table.Th scope="row">{placeWords(place)}</Table.Th>
          {[sent, confirmed, probes].map((figure, index) => (
            <Table.Td key={FIGURES[index]} data-label={FIGURES[index]} className="number">
              {formatCount(Math.round(figure))}
            </Table.Td>
          ))}
          <Table.Td data-label="Next try">
            {isPast(next_probe_at) ? 'with the next request' : <When at={next_probe_at} />}
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}

const isPast = (at: string | null): boolean => at !== null && Date.parse(at) <= Date.now();

type Event = GuardView['events'][number];

const WHAT: Readonly<Record<Event['name'], string>> = {
  'guard.acting': 'Began to refuse',
  'guard.recovered': 'Lets requests pass again',
  'budget.reached': 'A budget runs low',
};

function EventTable({ events }: Pick<GuardView, 'events'>) {
  return (
    <ScrollingTable label="What happened" columns={['When', 'What', 'Where', 'More']} stacked>
      {events.map(({ at, name, place, budget, detail }) => (
        <Table.Tr key={`${at} ${name} ${place?.name ?? budget}`}>
          <Table.Th scope="row">{formatInstant(at)}</Table.Th>
          <Table.Td data-label="What">{WHAT[name]}</Table.Td>
          <Table.Td data-label="Where">{place === null ? (budget ?? NONE) : placeWords(place)}</Table.Td>
          <Table.Td data-label="More">{detail}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}

/** Where no price is known, the requests themselves are shown. */
function SavedByDay({ days, currency }: Pick<GuardView, 'days' | 'currency'>) {
  const sum = (pick: (day: GuardView['days'][number]) => number) =>
    days.reduce((all, day) => all + pick(day), 0);
  const [refused, observed, saved] = [
    sum((day) => day.refused),
    sum((day) => day.observed),
    sum((day) => day.saved),
  ];
  const isPriced = saved > 0;
  const watched =
    observed === 0 ? '' : ` ${formatCount(observed)} more would have been, but were only watched.`;
  return (
    <Section
      title={isPriced ? 'Saved by day' : 'Refused by day'}
      about={`In 30 days, ${formatCount(refused)} requests were refused.${
        isPriced ? ` Their messages would have cost at least ${formatMoney(saved, currency)}.` : ''
      }${watched}`}
    >
      <Bars
        label={isPriced ? 'Saved' : 'Refused'}
        of="Day"
        tickAt="start"
        bars={lastDays(days, Date.now()).map(({ at, day }, index) => ({
          name: formatDay(at),
          value: (isPriced ? day?.saved : day?.refused) ?? 0,
          ...(index % 7 === 0 && { tick: formatDayOfMonth(at) }),
        }))}
        format={(value) => (isPriced ? formatMoney(value, currency) : formatCount(value))}
      />
    </Section>
  );
}
