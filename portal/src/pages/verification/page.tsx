import { Code, Text } from '@mantine/core';
import { useAsk } from '../../api/hooks.ts';
import { isCarrierTest } from '../../format/carrier-test.ts';
import { channelName } from '../../format/channel.ts';
import { countryName } from '../../format/country.ts';
import { formatInstant } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Fact, Facts, Outcome } from '../../parts/fact.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { StatusBadge, standingOf } from '../../parts/status.tsx';
import { Destination } from './destination.tsx';
import { StripPicture } from './strip/strip-picture.tsx';
import { timelineOf } from './timeline.ts';
import { TimelineList } from './timeline-list.tsx';

export default function VerificationPage({ id }: { readonly id: string }) {
  const account = useAccount();
  const detail = useAsk('GET accounts/:account/verifications/:id', { params: { id } }, { every: 5_000 });
  return (
    <Page
      title="Verification"
      about={<Code>{id}</Code>}
      above={{ name: 'Verifications', to: `/accounts/${account.id}/verifications` }}
    >
      <Answer of={detail}>
        {(found) => {
          const { verification } = found;
          return (
            <>
              <Outcome>
                <StatusBadge of={verification} />
                <Text fw={600}>{standingOf(verification).means}</Text>
              </Outcome>
              <Facts>
                <Fact name="Number">
                  <Destination id={id} masked={verification.destination} />
                </Fact>
                <Fact name="Country">{countryName(verification.country)}</Fact>
                <Fact name="Channel">{channelName(verification.channel)}</Fact>
                {!isCarrierTest(verification) && (
                  <>
                    <Fact name="Key">
                      {verification.key.name} {verification.test ? '(test)' : '(live)'}
                    </Fact>
                    <Fact name="Guesses">
                      {found.guesses_used} used, {found.guesses_left} left
                    </Fact>
                    <Fact name="Valid until">{formatInstant(found.expires_at)}</Fact>
                  </>
                )}
                {found.device.platform !== null && <Fact name="Platform">{found.device.platform}</Fact>}
                {found.device.app_version !== null && (
                  <Fact name="App version">{found.device.app_version}</Fact>
                )}
                {found.device.network !== null && <Fact name="Network">{found.device.network}</Fact>}
                {Object.entries(found.metadata).map(([name, value]) => (
                  <Fact key={name} name={name}>
                    {value}
                  </Fact>
                ))}
              </Facts>
              <Section title="What happened">
                <StripPicture detail={found} now={Date.now()} />
                <TimelineList events={timelineOf(found, Date.now())} />
              </Section>
            </>
          );
        }}
      </Answer>
    </Page>
  );
}
