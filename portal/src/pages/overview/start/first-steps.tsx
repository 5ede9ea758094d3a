import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAsk } from '../../../api/hooks.ts';
import { useAccount, useMay } from '../../../frame/account.ts';
import { Section } from '../../../parts/page/page.tsx';
import { useDismissed } from './dismissed.ts';
import css from './first-steps.module.css';
import { FIRST_STEPS } from './steps.ts';

/** Until all are done or the person puts them away. */
export function FirstSteps() {
  const me = useAsk('GET me', {});
  const mayBuild = useMay('developer');
  return me.data === undefined || !mayBuild ? null : <Steps personId={me.data.id} />;
}

function Steps({ personId }: { readonly personId: string }) {
  const { id } = useAccount();
  const [isDismissed, dismiss] = useDismissed(personId, id);
  const start = useAsk('GET accounts/:account/start', {}, { every: 5_000, enabled: !isDismissed });
  const found = start.data;
  if (isDismissed || found === undefined) return null;
  const done = FIRST_STEPS.filter(({ of }) => found[of]).length;
  if (done === FIRST_STEPS.length) return null;
  return (
    <Section
      title="Start"
      about={`${done} of ${FIRST_STEPS.length} done. Each is ticked by what is really there.`}
      actions={
        <Button size="xs" variant="default" onClick={dismiss}>
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
