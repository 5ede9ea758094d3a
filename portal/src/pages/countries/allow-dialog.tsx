import type { CountriesView } from '#contract/routing.ts';
import { call } from '../../api/call.ts';
import { useAct } from '../../api/hooks.ts';
import { useAccount } from '../../frame/account.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';

interface AllowDialogProps {
  readonly country: string;
  readonly name: string;
  /** The account's rules against it; undefined if it only is not among those that the account chose. */
  readonly stops: CountriesView['countries'][number]['stops'] | undefined;
  readonly onClose: () => void;
}

/** Sends to a country again: lifts the account's rules against it, or adds it to those that the account chose. */
export function AllowDialog({ country, name, stops, onClose }: AllowDialogProps) {
  const account = useAccount();
  const { mutateAsync: lift } = useAct('DELETE accounts/:account/guard/rules/:id');
  const { mutateAsync: save } = useAct('PUT accounts/:account/settings');
  async function choose(): Promise<void> {
    // As they are now: somebody may have changed them since this page was opened.
    const { settings, version } = await call('GET accounts/:account/settings', account.id, {});
    const countries = [...new Set([...settings.countries, country])];
    await save({ body: { ...settings, countries, version } });
  }
  async function act(): Promise<void> {
    if (stops === undefined) await choose();
    for (const { id } of stops ?? []) await lift({ params: { id } });
  }
  return (
    <Confirm
      title={`Send to ${name} again`}
      label="Send again"
      danger={false}
      act={act}
      done={`Codes go to ${name} again`}
      onClose={onClose}
    >
      {stops === undefined
        ? 'The settings of this account name the countries that it sends to. This one is added.'
        : `It was stopped: ${stops.map(({ reason }) => reason).join('; ')}.`}{' '}
      The guard, limits and budgets hold as everywhere.
    </Confirm>
  );
}
