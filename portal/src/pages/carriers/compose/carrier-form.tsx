import { Checkbox, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Configuration, ConfigurationForms } from '#contract/configuration.ts';
import type { RoutingView } from '#contract/routing.ts';
import { problemOfFields } from '../../../api/problem.ts';
import { CHANNEL_NAMES, isMissedCall } from '../../../format/channel.ts';
import { identifierWords } from '../../../format/identifier.ts';
import { SelectField, TextField } from '../../../parts/form/fields.tsx';
import { Form, rowsOf } from '../../../parts/form/form.tsx';
import { type AskedByCountry, findAsked } from './asked.ts';
import type { SecretsAt, Typed } from './entry.ts';
import { isFolded, Options } from './options.tsx';
import { Outcome } from './outcome.tsx';
import { type Heads, headsFor, makeProposal, type Proposal } from './proposal.ts';
import { RouteCarriers } from './route-carriers.tsx';

interface CarrierFormProps {
  readonly forms: ConfigurationForms;
  readonly configuration: Configuration;
  readonly view: RoutingView;
  readonly onTest: (carrier: string) => void;
}

interface Answer {
  readonly proposal: Proposal;
  /** As it was when the lines were written. */
  readonly heads: Heads;
  readonly reloadedAt: string | undefined;
  readonly asked: readonly AskedByCountry[];
}

const ONLY_A_ROUTE = '';
const OWN_FIELDS = ['carriers', 'weights'];

export function CarrierForm({ forms, configuration, view, onTest }: CarrierFormProps) {
  const [type, setType] = useState(forms.carriers[0]?.type ?? ONLY_A_ROUTE);
  const [name, setName] = useState('');
  const [withRoute, setWithRoute] = useState(true);
  const [secretsIn, setSecretsIn] = useState('files');
  const [faulty, setFaulty] = useState<readonly string[]>([]);
  const [answer, setAnswer] = useState<Answer>();
  const carrier = forms.carriers.find((each) => each.type === type);
  const fields = carrier?.fields ?? [];
  // Groups of which a carrier needs one: the first that it has is there at first. Whoever can call needs no missed calls.
  const initially: readonly string[] = CHANNEL_NAMES.filter(
    (channel) => !isMissedCall(channel) && fields.some(({ path }) => path === channel),
  ).slice(0, 1);
  const routed = withRoute || carrier === undefined;

  async function submit(values: FormData): Promise<void> {
    setAnswer(undefined);
    const typed = typedIn(values);
    const folder = typed.text('folder') || '/run/secrets';
    const secretsAt: SecretsAt = secretsIn === 'files' ? { in: 'files', folder } : { in: 'variables' };
    const has = (part: string) => configuration.options.some(({ key }) => key.startsWith(part));
    const hasRoutes = has('routes');
    const { proposal, faults } = makeProposal({
      ...{ forms, carrier, withRoute: routed, typed, secretsAt, hasRoutes },
      isTaken: (named) => has(`carriers.${named}.`),
    });
    setFaulty(faults.map(({ field }) => field));
    if (faults.length > 0) throw problemOfFields(faults);
    const heads = headsFor({ hasCarriers: has('carriers.'), hasRoutes });
    setAnswer({
      proposal,
      heads,
      reloadedAt: view.reload?.at,
      asked: await findAsked(proposal).catch(() => []),
    });
  }

  const isWrongIn = (part: string, folded: (path: string) => boolean) =>
    faulty.some((field) => field.startsWith(`${part}.`) && folded(field.slice(part.length + 1)));
  return (
    <Stack>
      <Form label="Write the lines" submit={submit}>
        <SelectField
          name="type"
          label="What to add"
          maw="30rem"
          value={type}
          onChange={(event) => {
            setType(event.currentTarget.value);
            setAnswer(undefined);
          }}
          data={[
            ...forms.carriers.map((each) => ({
              value: each.type,
              label: `${identifierWords(each.type)}: ${each.description}`,
            })),
            { value: ONLY_A_ROUTE, label: 'Only a route, to carriers that are there' },
          ]}
        />
        {carrier !== undefined && (
          <>
            <TextField
              name="name"
              label="Name of the carrier"
              description="Of your choice: small letters, digits and hyphens. Figures and errors are shown under it."
              autoComplete="off"
              required
              maxLength={32}
              maw="30rem"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <SelectField
              name="secrets"
              label="Where its secrets will be"
              description="The page never takes a secret. It says which files or variables to make."
              maw="30rem"
              value={secretsIn}
              onChange={(event) => setSecretsIn(event.currentTarget.value)}
              data={[
                { value: 'files', label: 'In files: a running service reads them' },
                { value: 'variables', label: 'In variables: the service must be restarted' },
              ]}
            />
            {secretsIn === 'files' && (
              <TextField
                name="folder"
                label="Folder of these files"
                autoComplete="off"
                maw="30rem"
                defaultValue="/run/secrets"
              />
            )}
            <Options
              key={type}
              fields={fields}
              part="carrier"
              initially={initially}
              openRest={isWrongIn('carrier', (path) => isFolded(fields, path, initially))}
            />
            <Checkbox
              label="With a route to it"
              description="A carrier that no route names gets no messages, and is refused."
              checked={withRoute}
              onChange={(event) => setWithRoute(event.currentTarget.checked)}
            />
          </>
        )}
        {routed && (
          <>
            <Title order={3} size="h5">
              The route
            </Title>
            <RouteCarriers
              key={String(carrier === undefined)}
              added={carrier === undefined ? undefined : name.trim()}
              known={view.carriers.map((each) => each.name)}
            />
            <Options
              fields={forms.route}
              part="route"
              initially={['countries']}
              without={OWN_FIELDS}
              openRest={isWrongIn('route', (path) => isFolded(forms.route, path, ['countries']))}
            />
          </>
        )}
      </Form>
      {answer !== undefined && <Outcome {...answer} file={configuration.file} view={view} onTest={onTest} />}
    </Stack>
  );
}

const typedIn = (values: FormData): Typed => {
  const all = (name: string) => values.getAll(name).filter((value) => typeof value === 'string');
  return { all, text: (name) => all(name)[0] ?? '', rows: (name) => rowsOf(values, name) };
};
