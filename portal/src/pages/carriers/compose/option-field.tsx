import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Field } from '#contract/configuration.ts';
import { CHANNEL_NAMES, channelName } from '../../../format/channel.ts';
import { identifierWords } from '../../../format/identifier.ts';
import { namedLanguages } from '../../../format/language.ts';
import { CountriesField } from '../../../parts/form/countries-field.tsx';
import { AreaField, SelectField, TextField } from '../../../parts/form/fields.tsx';
import { useFieldError } from '../../../parts/form/form.tsx';
import { PickedField } from '../../../parts/form/picked-field.tsx';
import css from './compose.module.css';
import { OptionLabel } from './option-label.tsx';
import { RowsOption } from './rows-option.tsx';

interface OptionFieldProps {
  readonly field: Field;
  /** All of the carrier or route: a group finds its own among them. */
  readonly fields: readonly Field[];
  readonly part: string;
  /** Whether a group that may be left out is there at first. */
  readonly initially?: boolean;
}

const WIDTH = '30rem';
const SAID_BY_KIND: readonly Field['kind'][] = ['group', 'choice', 'choices', 'list', 'pairs', 'numbers'];
const BY_ROW: readonly Field['kind'][] = ['list', 'pairs', 'numbers'];
const SPECIAL = ['text', 'a value', 'a list', 'a group of options', 'true or false'];

/** One option of the configuration. */
export function OptionField({ field, fields, part, initially = false }: OptionFieldProps) {
  const { path, kind, required, unless, choices, fallback, example } = field;
  const common = {
    name: `${part}.${path}`,
    label: <OptionLabel name={nameOf(field)} />,
    description: describe(field),
    autoComplete: 'off',
    spellCheck: false,
    maw: WIDTH,
    required: required && unless === null,
    withAsterisk: required,
  };
  const rows = (
    <Stack gap={0} maw={WIDTH}>
      <RowsOption
        {...{ field, name: common.name, label: identifierWords(nameOf(field)), title: common.label }}
        description={common.description}
      />
    </Stack>
  );
  switch (kind) {
    case 'group':
      return <GroupField field={field} fields={fields} part={part} initially={initially} />;
    case 'secret':
      return <SecretField field={field} part={part} />;
    case 'flag':
      return (
        <Checkbox
          name={common.name}
          label={common.label}
          description={common.description}
          defaultChecked={fallback === 'true'}
        />
      );
    case 'choice': {
      const none = required || fallback !== null ? [] : [{ value: '', label: 'Not set' }];
      return (
        <SelectField
          {...common}
          data={[...none, ...choicesOf(field)]}
          defaultValue={fallback === null ? undefined : String(JSON.parse(fallback))}
        />
      );
    }
    case 'list':
      if (field.names === 'country') {
        return (
          <Stack gap={0} maw={WIDTH}>
            <CountriesField name={common.name} none="Without any, all." countries={[]} />
          </Stack>
        );
      }
      return rows;
    case 'pairs':
    case 'numbers':
      return rows;
    case 'choices':
      if (field.names !== 'language') return <ChoicesField field={field} part={part} />;
      return (
        <Stack gap={0} maw={WIDTH}>
          <PickedField
            {...{ name: common.name, label: identifierWords(nameOf(field)), one: field.names }}
            description={common.description}
            all={namedLanguages(choices)}
            picked={[]}
          />
        </Stack>
      );
    case 'json':
      return <AreaField {...common} autosize={false} rows={3} defaultValue={example ?? ''} />;
    default:
      return <TextField {...common} />;
  }
}

const nameOf = ({ path }: Field): string => path.slice(path.lastIndexOf('.') + 1);

/** Nobody means the first of many languages. */
const choicesOf = ({ choices, names }: Field) =>
  names === 'language'
    ? [
        { value: '', label: 'Choose a language' },
        ...namedLanguages(choices).map(({ code, name }) => ({ value: code, label: name })),
      ]
    : choices.map((value) => ({ value, label: choiceWords(value) }));

function choiceWords(choice: string): string {
  const channel = CHANNEL_NAMES.find((name) => name === choice);
  return channel === undefined ? identifierWords(choice) : channelName(channel);
}

function describe({ description, expected, kind, fallback }: Field): string {
  const plain = description.replaceAll('`', '');
  const isSaid = SAID_BY_KIND.includes(kind) || SPECIAL.includes(expected);
  return [
    plain,
    ...(isSaid ? [] : [`Takes ${expected.replaceAll('`', '')}.`]),
    ...(BY_ROW.includes(kind) ? ['Several can be pasted at once.'] : []),
    ...(fallback === null || kind === 'flag' || kind === 'group' ? [] : [`By default ${asText(fallback)}.`]),
  ].join(' ');
}

function asText(fallback: string): string {
  const value: unknown = JSON.parse(fallback);
  if (value === '' || fallback === '[]' || fallback === '{}') return 'none';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : fallback;
}

function GroupField({ field, fields, part, initially }: Required<OptionFieldProps>) {
  const { path, required, description } = field;
  const [isOn, setOn] = useState(required || initially);
  const depth = path.split('.').length + 1;
  const inner = fields.filter(
    (each) => each.path.startsWith(`${path}.`) && each.path.split('.').length === depth,
  );
  const label = <OptionLabel name={nameOf(field)} />;
  return (
    <fieldset className={css.group}>
      {required ? (
        <legend>{label}</legend>
      ) : (
        <Checkbox
          name={`${part}.${path}`}
          label={label}
          description={description.replaceAll('`', '')}
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
      )}
      {isOn && (
        <Stack gap="sm" mt="sm">
          {inner.map((each) => (
            <OptionField key={each.path} field={each} fields={fields} part={part} />
          ))}
        </Stack>
      )}
    </fieldset>
  );
}

function SecretField({ field, part }: { readonly field: Field; readonly part: string }) {
  const { path, required, description } = field;
  const label = <OptionLabel name={nameOf(field)} />;
  if (!required) {
    return (
      <Checkbox
        name={`${part}.${path}`}
        label={label}
        description={`${description.replaceAll('`', '')} The text says where the service finds it.`}
      />
    );
  }
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" maw={WIDTH}>
        {description.replaceAll('`', '')} A secret is typed nowhere here: the text says where the service
        finds it.
      </Text>
    </div>
  );
}

function ChoicesField({ field, part }: { readonly field: Field; readonly part: string }) {
  const { path, choices, fallback } = field;
  const name = `${part}.${path}`;
  const chosen: unknown = fallback === null ? [] : JSON.parse(fallback);
  return (
    <Checkbox.Group
      label={<OptionLabel name={nameOf(field)} />}
      description={field.description.replaceAll('`', '')}
      defaultValue={Array.isArray(chosen) ? chosen.map(String) : []}
      error={useFieldError(name)}
    >
      <Stack gap="xs" mt="xs">
        {choices.map((choice) => (
          <Checkbox key={choice} name={name} value={choice} label={choiceWords(choice)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
