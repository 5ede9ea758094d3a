import { Stack } from '@mantine/core';
import type { Settings, SettingsView } from '#contract/settings.ts';
import type { Named } from '../../format/named.ts';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { optionalOf, rowsOf, textOf } from '../../parts/form/form.tsx';
import { PickedField } from '../../parts/form/picked-field.tsx';
import { askedWords } from './asked-words.ts';

type Refuse = NonNullable<Settings['refuse']>;
type LineType = NonNullable<Refuse['line_types']>[number];
type Lookup = SettingsView['defaults']['lookups'][number];

const LINE_TYPES: Readonly<Record<LineType, string>> = {
  mobile: 'Mobile',
  landline: 'Landline',
  voip: 'VoIP',
  fixed_voip: 'VoIP at a fixed place',
  toll_free: 'Toll-free',
  premium_rate: 'Premium rate',
  shared_cost: 'Shared cost',
  personal_number: 'Personal number',
  company_wide: 'Company-wide',
  pager: 'Pager',
  voicemail: 'Voicemail',
};
const ALL: readonly Named[] = Object.entries(LINE_TYPES).map(([code, name]) => ({ code, name }));
const isLineType = (code: string): code is LineType => Object.hasOwn(LINE_TYPES, code);

const NO_OR_YES = [
  { value: '', label: 'No' },
  { value: 'on', label: 'Yes' },
];

interface RefuseFieldsProps {
  readonly refuse: Settings['refuse'];
  readonly lookups: readonly Lookup[];
  readonly currency: string;
}

/** What may not be known of a number. Only what a look-up can tell is asked for, and what the account has already. */
export function RefuseFields({ refuse, lookups, currency }: RefuseFieldsProps) {
  const isTold = (fact: Lookup['tells'][number]) => lookups.some(({ tells }) => tells.includes(fact));
  const {
    swapped_within_hours = null,
    ported_within_hours = null,
    line_types = [],
    recycled = false,
  } = refuse ?? {};
  const asked = (fact: Lookup['tells'][number]) => askedWords(lookups, fact, currency);
  return (
    <Stack gap="lg">
      {(isTold('swapped') || swapped_within_hours !== null) && (
        <HoursField
          name="refuse.swapped_within_hours"
          label="SIM swapped within hours"
          description={`Somebody else may have the number now. Empty: whatever happened to the SIM. Asked: ${asked('swapped')}.`}
          hours={swapped_within_hours}
        />
      )}
      {(isTold('ported') || ported_within_hours !== null) && (
        <HoursField
          name="refuse.ported_within_hours"
          label="Number from another carrier within hours"
          description={`Somebody may have taken it over. Empty: whichever carrier it came from. Asked: ${asked('ported')}.`}
          hours={ported_within_hours}
        />
      )}
      {(isTold('lineType') || line_types.length > 0) && (
        <PickedField
          name="refuse.line_types"
          label="Types of line"
          one="type of line"
          description={`Choose one after another. Without any, all are sent to. Asked: ${asked('lineType')}.`}
          all={ALL}
          picked={line_types}
        />
      )}
      {(isTold('recycled') || recycled) && (
        <SelectField
          name="refuse.recycled"
          label="Number with another subscriber"
          description={`Whether the number went to somebody else since it was last confirmed here. Asked: ${asked('recycled')}.`}
          fits="digits"
          defaultValue={recycled ? 'on' : ''}
          data={NO_OR_YES}
        />
      )}
    </Stack>
  );
}

interface HoursFieldProps {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly hours: number | null;
}

function HoursField({ hours, ...words }: HoursFieldProps) {
  return (
    <TextField
      {...words}
      type="number"
      min={1}
      max={2400}
      fits="digits"
      placeholder="72"
      defaultValue={hours ?? ''}
    />
  );
}

function hoursOf(values: FormData, name: string): number | null {
  const hours = optionalOf(values, name);
  return hours === null ? null : Number(hours);
}

export function readRefuse(values: FormData): Refuse {
  return {
    swapped_within_hours: hoursOf(values, 'refuse.swapped_within_hours'),
    ported_within_hours: hoursOf(values, 'refuse.ported_within_hours'),
    line_types: rowsOf(values, 'refuse.line_types').filter(isLineType),
    recycled: textOf(values, 'refuse.recycled') === 'on',
  };
}
