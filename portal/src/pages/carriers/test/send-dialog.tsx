import { Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { CarrierTestRequest } from '#contract/carrier-tests.ts';
import type { RoutingView } from '#contract/routing.ts';
import { useAct } from '../../../api/hooks.ts';
import { Problem } from '../../../api/problem.ts';
import { CHANNEL_NAMES, choiceOf } from '../../../format/channel.ts';
import { useChannels } from '../../../frame/channels.ts';
import { FormDialog } from '../../../parts/dialog/form-dialog.tsx';
import { SelectField, TextField } from '../../../parts/form/fields.tsx';
import { textOf } from '../../../parts/form/form.tsx';
import { channelsToTest } from './channels.ts';

type Carrier = RoutingView['carriers'][number];

interface SendDialogProps {
  readonly carriers: readonly Carrier[];
  readonly routes: RoutingView['routes'];
  /** The carrier that is chosen at first, if it has a channel that may be asked for. */
  readonly first: string;
  readonly onSent: () => void;
  readonly onClose: () => void;
}

/** After these, nobody knows whether the message was sent. */
const UNANSWERED: readonly string[] = ['outcome-unknown', 'internal', 'unexplained'];

export function SendDialog({ carriers, routes, first, onSent, onClose }: SendDialogProps) {
  const send = useAct('POST accounts/:account/carriers/:carrier/test');
  const offered = useChannels();
  const offeredBy = (carrier: Carrier) => channelsToTest(carrier, offered, routes);
  const usable = carriers.filter((carrier) => offeredBy(carrier).length > 0);
  const [chosen, choose] = useState((usable.find(({ name }) => name === first) ?? usable[0])?.name ?? '');
  // The same key while the outcome of the last one is unknown: the service answers with that one, and does not send twice.
  const key = useRef(crypto.randomUUID());
  const channels = usable.filter(({ name }) => name === chosen).flatMap(offeredBy);
  return (
    <FormDialog
      title="Send a test"
      label="Send"
      onClose={onClose}
      submit={async (values) => {
        const input = { params: { carrier: textOf(values, 'carrier') }, body: bodyOf(values) };
        try {
          await send.mutateAsync({ ...input, idempotencyKey: key.current });
          onClose();
          onSent();
        } catch (error) {
          if (error instanceof Problem && !UNANSWERED.includes(error.kind)) key.current = crypto.randomUUID();
          throw error;
        }
      }}
    >
      <Text size="sm">
        A real message to a real telephone, which costs what any message costs. Send it to your own. Its code
        confirms nothing. You may send five an hour.
      </Text>
      <SelectField
        name="carrier"
        label="Carrier"
        data={usable.map(({ name }) => name)}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {/* Another carrier begins with its own first channel. */}
      <SelectField key={chosen} name="channel" label="Channel" data={channels.map(choiceOf)} />
      <TextField
        name="number"
        label="Number"
        placeholder="+14155550123"
        autoComplete="off"
        required
        maxLength={300}
      />
    </FormDialog>
  );
}

function bodyOf(values: FormData): CarrierTestRequest {
  const channel = textOf(values, 'channel');
  return {
    number: textOf(values, 'number'),
    channel: CHANNEL_NAMES.find((name) => name === channel) ?? 'sms',
  };
}
