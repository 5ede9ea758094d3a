import { Checkbox, Stack } from '@mantine/core';
import type { NewWebhook } from '#contract/webhooks.ts';
import { useMay } from '../../frame/account.ts';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf, useFieldError } from '../../parts/form/form.tsx';
import { EventName } from './event-name.tsx';
import { EVENT_TYPES, EVENTS } from './words.ts';

/** Who has full numbers sent to an endpoint that a developer added decides who may know its secret from then on. */
const SECRET_STAYS =
  ' The secret stays as it is, so whoever was shown it can sign as this service: rotate it if they should not.';

/** Where an endpoint is, and what it is told. */
export function EndpointFields({ webhook }: { readonly webhook?: NewWebhook }) {
  const isOwner = useMay('owner');
  return (
    <>
      <TextField
        name="url"
        type="url"
        label="Address"
        description="Where your server takes messages, with https."
        placeholder="https://example.com/webhooks/countersign"
        autoComplete="off"
        required
        maxLength={2000}
        defaultValue={webhook?.url}
      />
      <Checkbox.Group
        label="Events"
        description="If none is ticked, all of them, and those of later versions."
        defaultValue={[...(webhook?.types ?? [])]}
        error={useFieldError('types')}
      >
        <Stack mt="xs" gap="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              value={type}
              name="types"
              label={<EventName type={type} />}
              description={EVENTS[type].means}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {isOwner && (
        <>
          <Checkbox
            name="full_numbers"
            value="yes"
            label="Send full telephone numbers"
            description={`Otherwise only the country code and the last two digits.${webhook?.full_numbers === false ? SECRET_STAYS : ''}`}
            defaultChecked={webhook?.full_numbers ?? false}
          />
          <input type="hidden" name="full_numbers_offered" value="yes" />
        </>
      )}
    </>
  );
}

export function endpointOf(values: FormData): NewWebhook {
  const ticked = values.getAll('types');
  return {
    url: textOf(values, 'url').trim(),
    types: EVENT_TYPES.filter((type) => ticked.includes(type)),
    // Left out for people who may not decide it.
    ...(values.has('full_numbers_offered') && { full_numbers: values.has('full_numbers') }),
  };
}
