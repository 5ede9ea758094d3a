import { useAsk } from '../api/hooks.ts';
import { messagesOf } from '../format/channel.ts';
import css from './frame.module.css';

/** Warns an account with live keys that reach no telephone, because every figure on its pages looks like success. */
export function SimulatedNotice() {
  const settings = useAsk('GET accounts/:account/settings', {});
  const channels = settings.data?.defaults.simulated ?? [];
  const keys = useAsk('GET accounts/:account/keys', {}, { enabled: channels.length > 0 });
  const live = keys.data?.some(({ test, status }) => !test && (status === 'active' || status === 'overlap'));
  if (channels.length === 0 || live !== true) return null;
  const names = channels.map(messagesOf).join(' and ');
  return (
    <p role="note" className={css.notice}>
      <strong>Live keys reach only the simulator.</strong> Codes look successful, but no telephone gets them,
      until your administrator adds carriers and routes for {names}.
    </p>
  );
}
