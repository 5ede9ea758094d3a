import type { Settings } from '#contract/settings.ts';
import { useAct } from '../../api/hooks.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import type { CountryRow } from './rows.ts';

interface AllowDialogProps {
  readonly row: CountryRow;
  readonly settings: Settings;
  readonly onClose: () => void;
}

/** Sends to a country again: lifts the account's rules against it, or adds it to those that the account chose. */
export function AllowDialog({ row: { country, name, sending }, settings, onClose }: AllowDialogProps) {
  const { mutateAsync: lift } = useAct('DELETE accounts/:account/guard/rules/:id');
  const { mutateAsync: save } = useAct('PUT accounts/:account/settings');
  const isStopped = sending.kind === 'stopped';
  const act = async () => {
    if (!isStopped)
      return void (await save({ body: { ...settings, countries: [...settings.countries, country] } }));
    for (const { id } of sending.stops) await lift({ params: { id } });
  };
  return (
    <Confirm
      title={`Send to ${name} again`}
      label="Send again"
      danger={false}
      act={act}
      done={`Codes go to ${name} again`}
      onClose={onClose}
    >
      {isStopped
        ? `It was stopped: ${sending.stops.map(({ reason }) => reason).join('; ')}.`
        : 'The settings of this account name the countries that it sends to. This one is added.'}{' '}
      The guard, limits and budgets hold as everywhere.
    </Confirm>
  );
}
