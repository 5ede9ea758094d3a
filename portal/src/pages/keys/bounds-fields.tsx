import { Checkbox, Group } from '@mantine/core';
import type { NewKey } from '#contract/keys.ts';
import { CHANNEL_NAMES, choiceOf } from '../../format/channel.ts';
import { fieldOfInstant, instantOfField } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { useChannels } from '../../frame/channels.ts';
import { CountriesField } from '../../parts/form/countries-field.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { rowsOf, textOf, useFieldError } from '../../parts/form/form.tsx';
import { TextsField } from '../../parts/form/texts-field.tsx';

type Bounds = Pick<NewKey, 'expires_at' | 'restrictions' | 'custom_codes'>;

const UNBOUND: Bounds = { expires_at: null, restrictions: { channels: [], countries: [], sources: [] } };

/** What a key may be used for, and until when. */
export function BoundsFields({ bounds = UNBOUND }: { readonly bounds?: Bounds }) {
  const { channels: chosen, countries, sources } = bounds.restrictions;
  // What a key is limited to stays listed: without its box the limit would be lifted.
  const channels = useChannels(chosen);
  const isOwner = useMay('owner');
  return (
    <>
      <TextField
        name="expires_at"
        type="datetime-local"
        label="Expires"
        description="The key is refused after this time. If empty, it never expires."
        defaultValue={fieldOfInstant(bounds.expires_at)}
      />
      <Checkbox.Group
        label="Channels"
        description="If none is ticked, all are allowed."
        defaultValue={chosen}
        error={useFieldError('restrictions.channels')}
      >
        <Group mt="xs">
          {channels.map(choiceOf).map(({ value, label }) => (
            <Checkbox key={value} value={value} name="restrictions.channels" label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <CountriesField
        name="restrictions.countries"
        none="Without any, all countries that the account allows."
        countries={countries}
      />
      <TextsField
        name="restrictions.sources"
        label="Source addresses"
        description="IP addresses or networks from which the key may be used: elsewhere it is useless, even if it leaks. Without any, from everywhere. Several can be pasted at once."
        texts={sources}
        most={50}
        longest={50}
        add="Add an address"
        placeholder="192.0.2.0/24"
      />
      {isOwner && (
        <Checkbox
          name="custom_codes"
          value="allowed"
          label="May bring codes of its own"
          description="Requests may name the code to send. Such codes are no evidence for the guard until they are confirmed here."
          defaultChecked={bounds.custom_codes ?? false}
        />
      )}
      {isOwner && <input type="hidden" name="custom_codes_offered" value="yes" />}
    </>
  );
}

export function boundsOf(values: FormData): Bounds {
  const ticked = values.getAll('restrictions.channels');
  return {
    // Left out for people who may not decide it.
    ...(values.has('custom_codes_offered') && { custom_codes: values.has('custom_codes') }),
    expires_at: instantOfField(textOf(values, 'expires_at')),
    restrictions: {
      channels: CHANNEL_NAMES.filter((channel) => ticked.includes(channel)),
      countries: rowsOf(values, 'restrictions.countries'),
      sources: rowsOf(values, 'restrictions.sources'),
    },
  };
}
