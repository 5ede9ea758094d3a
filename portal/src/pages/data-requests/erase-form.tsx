import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/hooks.ts';
import { formatCount } from '../../format/number.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';
import { allParts } from './all-parts.ts';
import { NumberField } from './number-field.tsx';

const LISTED = {
  kept: 'It stays on the do-not-send list',
  removed: 'It is no longer on the do-not-send list',
} as const;

export function EraseForm() {
  const erase = useAct('POST accounts/:account/numbers/erase');
  const toast = useToast();
  const [destination, setDestination] = useState<string>();
  const [also, setAlso] = useState(false);
  async function act(number: string): Promise<void> {
    const body = { destination: number, also_do_not_send: also };
    const parts = await allParts((from) => erase.mutateAsync({ body: { ...body, ...from } }));
    const erased = parts.reduce((sum, part) => sum + part.erased, 0);
    const listed = parts[0].do_not_send;
    const found =
      erased === 0
        ? 'No verification of this number was found'
        : `Erased ${formatCount(erased)} ${erased === 1 ? 'verification' : 'verifications'}`;
    toast(listed === null ? found : `${found}. ${LISTED[listed]}`);
  }
  return (
    <>
      <Form
        danger
        label="Erase…"
        saves={false}
        submit={async (values) => {
          setAlso(false);
          setDestination(textOf(values, 'destination'));
        }}
      >
        <NumberField />
      </Form>
      {destination !== undefined && (
        <Confirm
          title="Erase this number"
          label="Erase it"
          act={() => act(destination)}
          onClose={() => setDestination(undefined)}
        >
          <p>
            Everything that this account holds about <strong>{destination}</strong> and its extensions is
            deleted. This cannot be undone. A code that was just sent to it can no longer be confirmed.
          </p>
          <p>
            So that nobody can be flooded with codes, the limits remember until their time is over that
            something was sent, without the number. The audit log will record that you erased it, with most
            digits hidden.
          </p>
          <Checkbox
            label="Also take it off the do-not-send list"
            description="Only if the person asks to get codes again. Otherwise an entry stays, so that nothing is sent to them."
            checked={also}
            onChange={(event) => setAlso(event.currentTarget.checked)}
          />
        </Confirm>
      )}
    </>
  );
}
