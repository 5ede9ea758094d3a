import { Checkbox, Group } from '@mantine/core';
import type { Key, NewKey, Restrictions } from '#contract/keys.ts';
import { CHANNEL_CHOICES, CHANNEL_NAMES } from '../../format/channel.ts';
import { countriesOf, itemsOf } from '../../format/country.ts';
import { fieldOfInstant, instantOfField } from '../../format/time.ts';
import { AreaField, TextField } from '../../parts/fields.tsx';
import { textOf } from '../../parts/form.tsx';

type Bounds = Pick<NewKey, 'expires_at' | 'restrictions'>;

/** What a key may be used for, and for how long. */
export function BoundsFields({ apiKey }: { readonly apiKey?: Key }) {
  const bounds: Restrictions = apiKey?.restrictions ?? { channels: [], countries: [], sources: [] };
  return (
    <>
      <TextField
        name="expires_at"
        type="datetime-local"
        label="Expires"
        description="Refused from then on. Empty: never."
        defaultValue={fieldOfInstant(apiKey?.expires_at)}
      />
      <Checkbox.Group
        label="Channels"
        description="None ticked: all."
        defaultValue={bounds.channels}
        hiddenInputProps={{ name: 'channels' }}
      >
        <Group mt="xs">
          {CHANNEL_CHOICES.map(({ value, label }) => (
            <Checkbox key={value} value={value} name="channel" label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextField
        name="restrictions.countries"
        label="Countries"
        description="Two-letter codes, such as GB, FR. Empty: all that the account allows."
        defaultValue={bounds.countries.join(', ')}
      />
      <AreaField
        name="restrictions.sources"
        label="Source addresses"
        description="Addresses or networks, such as 192.0.2.0/24, one a line. A key that leaks is useless elsewhere. Empty: any."
        autosize={false}
        rows={2}
        defaultValue={bounds.sources.join('\n')}
      />
    </>
  );
}

export function boundsOf(values: FormData): Bounds {
  const ticked = values.getAll('channel');
  return {
    expires_at: instantOfField(textOf(values, 'expires_at')),
    restrictions: {
      channels: CHANNEL_NAMES.filter((channel) => ticked.includes(channel)),
      countries: countriesOf(textOf(values, 'restrictions.countries')),
      sources: itemsOf(textOf(values, 'restrictions.sources')),
    },
  };
}
