import { Button, Text } from '@mantine/core';
import type { VerificationDetail } from '#contract/verifications.ts';
import { useAct } from '../../api/hooks.ts';
import { formatInstant } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { Fact } from '../../parts/fact.tsx';
import { Failure } from '../../parts/page/failure.tsx';
import { aboutVerdict, VERDICT_WORDS } from './verdict-words.ts';

/** What the account said that it was, and for those who may, how to say it. */
export function VerdictFact({
  of: { verification, verdict: said },
}: {
  readonly of: Pick<VerificationDetail, 'verification' | 'verdict'>;
}) {
  const { id } = verification;
  const about = aboutVerdict(verification, Date.now());
  const may = useMay('developer') && about !== undefined;
  const judge = useAct('POST accounts/:account/verifications/:id/feedback');
  if (said === null && !may) return null;
  const button = (label: string, verdict: 'fraud' | 'good' | null) => (
    <Button
      size="compact-xs"
      variant="default"
      loading={judge.isPending}
      onClick={() => judge.mutate({ params: { id }, body: { verdict } })}
    >
      {label}
    </Button>
  );
  return (
    <Fact name="Your verdict">
      {said !== null && `${VERDICT_WORDS[said.verdict]}, said at ${formatInstant(said.at)} `}
      {may && said?.verdict !== 'fraud' && button('It was fraud', 'fraud')}{' '}
      {may && said?.verdict !== 'good' && button('It was good', 'good')}{' '}
      {may && said !== null && button('Take it back', null)}
      {may && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
      {judge.isError && <Failure error={judge.error} />}
    </Fact>
  );
}
