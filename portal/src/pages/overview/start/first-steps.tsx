import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Start } from '#contract/start.ts';
import { useAct, useAsk } from '../../../api/hooks.ts';
import { useAccount, useMay } from '../../../frame/account.ts';
import { Section } from '../../../parts/page/page.tsx';
import css from './first-steps.module.css';
import { FIRST_STEPS } from './steps.ts';

const NAME = 'GET accounts/:account/start';
const countDone = (found: Start): number => FIRST_STEPS.filter(({ of }) => found[of]).length;

/** Until all are done or the person puts them away. */
export function FirstSteps() {
  const mayBuild = useMay('developer');
  const { data } = useAsk(NAME, {}, { enabled: mayBuild });
  if (data === undefined || data.dismissed || data.demo || countDone(data) === FIRST_STEPS.length)
    return null;
  return <Steps before={data} />;
}

/** Asks every few seconds, but only while the steps are on display. */
function Steps({ before }: { readonly before: Start }) {
  const { id } = useAccount();
  const { data: found = before } = useAsk(NAME, {}, { every: 5_000 });
  const dismiss = useAct('PUT accounts/:account/start/dismissal');
  return (
    <Section
      title="Start"
      about={`${countDone(found)} of ${FIRST_STEPS.length} done. Each is ticked by what is really there.`}
      actions={
        <Button size="xs" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate({})}>
          Dismiss
        </Button>
      }
    >
      <ol className={css.steps}>
        {FIRST_STEPS.map(({ of, title, about, page }) => (
          <li key={of} className={found[of] ? css.done : undefined}>
            <Text fw={600} size="sm">
              {page === undefined || found[of] ? (
                title
              ) : (
                <Anchor
                  component={Link}
                  href={page.startsWith('/') ? page : `/accounts/${id}/${page}`}
                  inherit
                >
                  {title}
                </Anchor>
              )}
              <span className="quiet">{found[of] ? ', done' : ', to do'}</span>
            </Text>
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          </li>
        ))}
      </ol>
    </Section>
  );
}
