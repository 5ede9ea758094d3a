import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Later } from '../../parts/page/later.tsx';
import { Section } from '../../parts/page/page.tsx';
import { Breakdown } from './breakdown.tsx';
import { beginOf } from './funnel/funnel.ts';
import { FunnelBars } from './funnel/funnel-bars.tsx';
import { type OverviewInRange, useBehind, useChanges, useEarlier, useParts } from './query.ts';
import { Traffic } from './time/traffic.tsx';

interface TrafficViewProps {
  readonly overview: OverviewInRange;
  readonly search: URLSearchParams;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
}

/** How many codes there were, what became of them, when, and where. */
export function TrafficView(props: TrafficViewProps) {
  return (
    <>
      <FirstFigures {...props} />
      <Later>{beginOf(props.overview.total).count > 0 && <Parts {...props} />}</Later>
    </>
  );
}

/** What a window shows before anybody scrolls, and all that the period before is needed for. */
function FirstFigures({ overview, search, change }: TrafficViewProps) {
  const account = useAccount();
  const known = useEarlier(search, overview);
  const earlier = known ?? undefined;
  const behind = useBehind(overview, search);
  const ofCarrier = overview.total.requested === null;
  return (
    <>
      {beginOf(overview.total).count === 0 ? (
        <Empty
          title={
            ofCarrier
              ? 'This carrier had no traffic in this period'
              : 'No codes were requested in this period'
          }
        >
          Here you see how many codes were asked for, sent, delivered and confirmed, and what each
          confirmation cost. Choose a longer period, or {search.get('test') === 'true' ? 'live' : 'test'}{' '}
          traffic above, or send a code{' '}
          <Anchor component={Link} href={`/accounts/${account.id}/handset`} inherit underline="always">
            with the handset
          </Anchor>
          .
        </Empty>
      ) : (
        <Section
          title={ofCarrier ? 'From attempt to confirmation' : 'From request to confirmation'}
          // Most periods have one before, so nothing moves when it comes.
          {...(known !== null && {
            about: 'Changes are against the period before, without what is not over yet.',
          })}
        >
          <FunnelBars overview={overview} earlier={earlier} behind={behind} />
        </Section>
      )}
      <Traffic overview={overview} earlier={earlier} search={search} change={change} />
    </>
  );
}

function Parts({ overview, search, change }: TrafficViewProps) {
  const parts = useParts(search);
  const changes = useChanges(search, overview);
  const behind = useBehind(overview, search);
  return (
    <Answer of={parts} lines={8}>
      {(found) => (
        <Breakdown
          of={found}
          changes={changes}
          currency={overview.currency}
          search={search}
          change={change}
          behind={behind}
        />
      )}
    </Answer>
  );
}
