import { Alert, Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Configuration } from '#contract/configuration.ts';
import type { RoutingView } from '#contract/routing.ts';
import { useAccount } from '../../../frame/account.ts';
import { CopyButton } from '../../../parts/copy.tsx';
import type { AskedByCountry } from './asked.ts';
import css from './compose.module.css';
import { CountryRules } from './country-rules.tsx';
import { type Heads, type Proposal, writeLines } from './proposal.ts';

interface OutcomeProps {
  readonly proposal: Proposal;
  readonly heads: Heads;
  /** When the service had last read its configuration. */
  readonly reloadedAt: string | undefined;
  readonly asked: readonly AskedByCountry[];
  readonly file: Configuration['file'];
  readonly view: RoutingView;
  readonly onTest: (carrier: string) => void;
}

/** What to put where, and what is left to do. */
export function Outcome({ proposal, heads, asked, ...rest }: OutcomeProps) {
  const text = writeLines(proposal, heads);
  return (
    <Stack>
      <Group wrap="nowrap" align="flex-start" gap="xs">
        <Code block className={css.text} tabIndex={0} role="textbox" aria-readonly aria-label="Configuration">
          {text}
        </Code>
        <CopyButton text={text} />
      </Group>
      <CountryRules asked={asked} />
      <Steps proposal={proposal} {...rest} />
      <Taken proposal={proposal} {...rest} />
    </Stack>
  );
}

function Steps({ proposal: { secrets }, file }: Pick<OutcomeProps, 'proposal' | 'file'>) {
  const inFiles = secrets.some(({ place }) => place.includes('/'));
  return (
    <ol className={css.steps}>
      <li>
        Put these lines into <Code>{file?.path}</Code>
        {file?.is_there === false && ', which does not exist yet'}.
      </li>
      {secrets.length > 0 && (
        <li>
          {inFiles
            ? 'Write each secret into its file, which only the user of the service may read:'
            : 'Set each secret as a variable of the service:'}
          <ul>
            {secrets.map(({ option, place }) => (
              <li key={option}>
                <Code>{place}</Code> for {option}
              </li>
            ))}
          </ul>
        </li>
      )}
      <li>
        Run <Code>countersign config check</Code>: it says what is wrong with the file, and what is probably
        not wanted. Then <Code>countersign doctor</Code> says whether the carrier answers and takes its
        secrets.
      </li>
      <li>
        {secrets.length > 0 && !inFiles ? (
          'Restart the service: a running one does not see new variables.'
        ) : (
          <>
            Run <Code>countersign config reload</Code>, or send <Code>SIGHUP</Code> to the service.
          </>
        )}
      </li>
    </ol>
  );
}

/** Whether the service has taken it. */
function Taken({
  proposal: { name },
  reloadedAt,
  view: { carriers, reload },
  onTest,
}: Omit<OutcomeProps, 'heads' | 'file' | 'asked'>) {
  const news = reload !== null && reload.at !== reloadedAt ? reload : undefined;
  const isTaken =
    name === undefined
      ? news?.ok === true && news.changed.some((key) => key.startsWith('routes'))
      : carriers.some((carrier) => carrier.name === name);
  if (isTaken) {
    return (
      <Alert color="green" title={`${name ?? 'The route'} is in force`} role="status">
        {name === undefined ? (
          <RouteNext />
        ) : (
          <>
            Before your codes depend on it,{' '}
            <Anchor component="button" type="button" inherit underline="always" onClick={() => onTest(name)}>
              send a test over {name}
            </Anchor>
            .
          </>
        )}
      </Alert>
    );
  }
  if (news?.ok === false) {
    return (
      <Alert color="red" title="The service refused its new configuration" role="status">
        Everything goes on as before. Wrong: {news.wrong.join(', ')}. <Code>countersign config check</Code>{' '}
        says why.
      </Alert>
    );
  }
  return (
    <Text size="sm" c="dimmed" role="status">
      This page says so as soon as the service has taken it.
    </Text>
  );
}

/** A test goes over one carrier and by no route. */
function RouteNext() {
  const { id } = useAccount();
  return (
    <>
      Send a first real message with a live key{' '}
      <Anchor component={Link} href={`/accounts/${id}/handset`} inherit underline="always">
        on the handset page
      </Anchor>
      .
    </>
  );
}
