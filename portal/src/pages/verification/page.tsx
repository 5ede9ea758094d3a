import { Button, Code, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct, useAsk } from '../../api/hooks.ts';
import { isCarrierTest } from '../../format/carrier-test.ts';
import { channelName } from '../../format/channel.ts';
import { countryName } from '../../format/country.ts';
import { formatInstant } from '../../format/time.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Fact, Facts, Outcome } from '../../parts/fact.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { StatusBadge, standingOf } from '../../parts/status.tsx';
import { StripPicture } from './strip/strip-picture.tsx';
import { timelineOf } from './timeline.ts';
import { TimelineList } from './timeline-list.tsx';
import { VerdictFact } from './verdict-fact.tsx';

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
                <VerdictFact of={found} />
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

/** Masked until an owner asks; leaving the page masks it again. */
function Destination({ id, masked }: { readonly id: string; readonly masked: string }) {
  const mayReveal = useMay('owner');
  const reveal = useAct('POST accounts/:account/verifications/:id/reveal');
  const [asking, setAsking] = useState(false);
  if (reveal.data !== undefined) return <span>{reveal.data.destination}</span>;
  return (
    <>
      {masked}{' '}
      {mayReveal ? (
        <Button size="compact-xs" variant="default" onClick={() => setAsking(true)}>
          Show the full number
        </Button>
      ) : (
        <Text component="span" size="xs" c="dimmed">
          Owners can see the full number.
        </Text>
      )}
      {asking && (
        <Confirm
          title="Show the full number"
          label="Show it"
          danger={false}
          onClose={() => setAsking(false)}
          act={() => reveal.mutateAsync({ params: { id } })}
        >
          The audit log will record that you asked for it, when and from where.
        </Confirm>
      )}
    </>
  );
}
