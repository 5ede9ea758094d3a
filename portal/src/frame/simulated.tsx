import { Alert } from '@mantine/core';
import { useAsk } from '../api/hooks.ts';
import { messagesOf } from '../format/channel.ts';

/** Warns an account with live keys that reach no telephone, because every figure on its pages looks like success. */
export function SimulatedNotice() {
  const settings = useAsk('GET accounts/:account/settings', {});
  const channels = settings.data?.defaults.simulated ?? [];
  const keys = useAsk('GET accounts/:account/keys', {}, { enabled: channels.length > 0 });
  const live = keys.data?.some(({ test, status }) => !test && (status === 'active' || status === 'overlap'));
  if (channels.length === 0 || live !== true) return null;
  const names = channels.map(messagesOf).join(' and ');
  return (
    <Alert role="note" color="yellow" title="Live keys reach only the simulator" mb="lg">
      The service has no carrier for some or all {names}. Codes sent with live keys look successful, but no
      telephone gets them. Your administrator can add carriers and routes.
    </Alert>
  );
}
