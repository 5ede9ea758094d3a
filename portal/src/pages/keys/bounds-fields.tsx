import { Checkbox, Group } from '@mantine/core';
import type { Key, NewKey, Restrictions } from '#contract/keys.ts';
import { CHANNEL_NAMES, choiceOf } from '../../format/channel.ts';
import { itemsOf } from '../../format/country.ts';
import { fieldOfInstant, instantOfField } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { useChannels } from '../../frame/channels.ts';
import { CountriesField } from '../../parts/form/countries-field.tsx';
import { AreaField, TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';

type Bounds = Pick<NewKey, 'expires_at' | 'restrictions' | 'custom_codes'>;

/** What a key may be used for, and until when. */
export function BoundsFields({ apiKey }: { readonly apiKey?: Key }) {
  const bounds: Restrictions = apiKey?.restrictions ?? { channels: [], countries: [], sources: [] };
  // What a key is limited to stays listed: without its box the limit would be lifted.
  const channels = useChannels(bounds.channels);
  const isOwner = useMay('owner');
  return (
    <>
      <TextField
        name="expires_at"
        type="datetime-local"
        label="Expires"
        description="The key is refused after this time. If empty, it never expires."
        defaultValue={fieldOfInstant(apiKey?.expires_at)}
      />
      <Checkbox.Group
        label="Channels"
        description="If none is ticked, all are allowed."
        defaultValue={bounds.channels}
        hiddenInputProps={{ name: 'channels' }}
      >
        <Group mt="xs">
          {channels.map(choiceOf).map(({ value, label }) => (
            <Checkbox key={value} value={value} name="channel" label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <CountriesField
        name="restrictions.countries"
        none="Without any, all countries that the account allows."
        countries={bounds.countries}
      />
      <AreaField
        name="restrictions.sources"
        label="Source addresses"
        description="IP addresses or networks, such as 192.0.2.0/24, one on each line. A leaked key is useless elsewhere. If empty, any address."
        autosize={false}
        rows={2}
        defaultValue={bounds.sources.join('\n')}
      />
      {isOwner && (
        <Checkbox
          name="custom_codes"
          value="allowed"
          label="May bring codes of its own"
          description="Requests may name the code to send. Such codes are no evidence for the guard until they are confirmed here."
          defaultChecked={apiKey?.custom_codes ?? false}
        />
      )}
      {isOwner && <input type="hidden" name="custom_codes_offered" value="yes" />}
    </>
  );
}

export function boundsOf(values: FormData): Bounds {
  const ticked = values.getAll('channel');
  return {
    // Left out for people who may not decide it.
    ...(values.has('custom_codes_offered') && { custom_codes: values.has('custom_codes') }),
    expires_at: instantOfField(textOf(values, 'expires_at')),
    restrictions: {
      channels: CHANNEL_NAMES.filter((channel) => ticked.includes(channel)),
      countries: itemsOf(textOf(values, 'restrictions.countries')),
      sources: itemsOf(textOf(values, 'restrictions.sources')),
    },
  };
}
