import { useState } from 'react';
import { useAct } from '../../api/hooks.ts';
import { formatCount } from '../../format/number.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { useToast } from '../../parts/toast.tsx';
import { allParts } from './all-parts.ts';
import { NumberField } from './number-field.tsx';

export function EraseForm() {
  const erase = useAct('POST accounts/:account/numbers/erase');
  const toast = useToast();
  const [destination, setDestination] = useState<string>();
  async function act(number: string): Promise<void> {
    const parts = await allParts((from) => erase.mutateAsync({ body: { destination: number, ...from } }));
    const erased = parts.reduce((sum, part) => sum + part.erased, 0);
    if (erased === 0) toast('No verification of this number was found');
    else toast(`Erased ${formatCount(erased)} ${erased === 1 ? 'verification' : 'verifications'}`);
  }
  return (
    <>
      <Form danger label="Erase…" submit={async (values) => setDestination(textOf(values, 'destination'))}>
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
        </Confirm>
      )}
    </>
  );
}
