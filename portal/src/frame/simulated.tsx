import { Alert } from '@mantine/core';
import { useAsk } from '../api/hooks.ts';
import { messagesOf } from '../format/channel.ts';

/** Says to an account with live keys that their messages reach no telephone: every number on its pages looks like success. */
export function SimulatedNotice() {
  const settings = useAsk('GET accounts/:account/settings', {});
  const channels = settings.data?.defaults.simulated ?? [];
  const keys = useAsk('GET accounts/:account/keys', {}, { enabled: channels.length > 0 });
  const live = keys.data?.some(({ test, status }) => !test && (status === 'active' || status === 'overlap'));
  if (channels.length === 0 || live !== true) return null;
  const names = channels.map(messagesOf).join(' and ');
  return (
    <Alert role="note" color="yellow" title="Live keys reach the simulator only" mb="lg">
      The service has no carrier for some or all {names}. What is sent with live keys looks like success, and
      no telephone gets it. Whoever runs the service can add carriers and routes.
    </Alert>
  );
}
