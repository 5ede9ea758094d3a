import { Alert, Anchor, Code, Group, List, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Checked, Configuration } from '#contract/configuration.ts';
import type { RoutingView } from '#contract/routing.ts';
import { useAccount } from '../../../frame/account.ts';
import { CopyButton } from '../../../parts/copy.tsx';
import css from './compose.module.css';
import { headsFor, type Proposal, writeWhole } from './proposal.ts';

interface OutcomeProps {
  readonly proposal: Proposal;
  readonly checked: Checked;
  readonly configuration: Configuration;
  readonly view: RoutingView;
}

/** What to put where, and what the service would say to it. */
export function Outcome({ proposal, checked, configuration, view }: OutcomeProps) {
  const has = (part: string) => configuration.options.some(({ key }) => key.startsWith(part));
  const heads = headsFor({ hasCarriers: has('carriers.'), hasRoutes: has('routes') }, checked.routes_before);
  const isRefused = checked.problems.length > 0;
  return (
    <Stack>
      <Findings checked={checked} />
      <Group wrap="nowrap" align="flex-start" gap="xs">
        <Code block className={css.text} tabIndex={0} role="textbox" aria-readonly aria-label="Configuration">
          {writeWhole(proposal, heads)}
        </Code>
        <CopyButton text={writeWhole(proposal, heads)} />
      </Group>
      {!isRefused && <Steps proposal={proposal} configuration={configuration} view={view} />}
    </Stack>
  );
}

function Findings({ checked: { problems, warnings, files } }: { readonly checked: Checked }) {
  const unread = files.length === 0 ? '' : ` Not opened: the files of ${files.join(', ')}.`;
  return (
    <>
      {problems.length > 0 ? (
        <Alert color="red" title="The service would refuse this" role="alert">
          <List size="sm">
            {problems.map(({ key, line, wrong, expected, fix }) => (
              <List.Item key={`${key} ${wrong}`}>
                {line === null ? '' : `Line ${line}: `}
                {key} {wrong}; expected {expected}; {fix}.
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : (
        <Alert color="green" title="The service would take this" role="status">
          As far as this can be told from here. Whether the carrier answers and takes its secrets is not
          checked, because this page connects to nothing: <Code>countersign doctor</Code> does.{unread}
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" title="Probably not what you want" role="status">
          <List size="sm">
            {warnings.map(({ key, detail }) => (
              <List.Item key={`${key} ${detail}`}>
                {key}: {detail}.
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

type StepsProps = Omit<OutcomeProps, 'checked'>;

/** What is left to do, and whether it was done. */
function Steps({ proposal: { name, secrets }, configuration: { file }, view }: StepsProps) {
  const { id } = useAccount();
  const isInForce = name !== undefined && view.carriers.some((carrier) => carrier.name === name);
  const isFile = secrets.some(({ place }) => place.includes('/'));
  return (
    <>
      <ol className={css.steps}>
        <li>
          <Text size="sm">
            Put these lines into <Code>{file?.path}</Code>
            {file?.is_there === false && ', which does not exist yet'}.
          </Text>
        </li>
        {secrets.length > 0 && (
          <li>
            <Text size="sm">
              {isFile
                ? 'Write each secret into its file, which only the user of the service may read:'
                : 'Set each secret as a variable of the service:'}
            </Text>
            <List size="sm">
              {secrets.map(({ option, place }) => (
                <List.Item key={option}>
                  <Code>{place}</Code> for {option}
                </List.Item>
              ))}
            </List>
          </li>
        )}
        <li>
          <Text size="sm">
            Run <Code>countersign config check</Code> and <Code>countersign doctor</Code>.
          </Text>
        </li>
        <li>
          <Text size="sm">
            {secrets.length > 0 && !isFile ? (
              'Restart the service: a running one does not see new variables.'
            ) : (
              <>
                Run <Code>countersign config reload</Code>, or send <Code>SIGHUP</Code> to the service.
              </>
            )}
          </Text>
        </li>
      </ol>
      {isInForce ? (
        <Alert color="green" title={`${name} is in force`} role="status">
          Send a first real message with a live key{' '}
          <Anchor component={Link} href={`/accounts/${id}/handset`} inherit underline="always">
            on the handset page
          </Anchor>
          .
        </Alert>
      ) : (
        <Text size="sm" c="dimmed" role="status">
          This page says so as soon as the service has taken it.
        </Text>
      )}
    </>
  );
}
