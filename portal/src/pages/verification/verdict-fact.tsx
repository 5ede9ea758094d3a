import { Button } from '@mantine/core';
import type { VerificationDetail } from '#contract/verifications.ts';
import { useAct } from '../../api/hooks.ts';
import { formatInstant } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { Fact } from '../../parts/fact.tsx';
import { Failure } from '../../parts/page/failure.tsx';

const WORDS = { fraud: 'Fraud', good: 'A genuine user' } as const;

/** What the account said that it was, and for those who may, how to say it. */
export function VerdictFact({
  id,
  said,
}: {
  readonly id: string;
  readonly said: VerificationDetail['verdict'];
}) {
  const may = useMay('developer');
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
      {said !== null && `${WORDS[said.verdict]}, said at ${formatInstant(said.at)} `}
      {may && said?.verdict !== 'fraud' && button('It was fraud', 'fraud')}{' '}
      {may && said?.verdict !== 'good' && button('It was genuine', 'good')}{' '}
      {may && said !== null && button('Take it back', null)}
      {judge.isError && <Failure error={judge.error} />}
    </Fact>
  );
}
