import { useAsk } from '../api/hooks.ts';
import { type Channel, messagesOf } from '../format/channel.ts';
import { isInUse } from '../format/key.ts';
import css from './frame.module.css';

const WORDS = new Intl.ListFormat('en-GB');

/** Warns an account with live keys that reach no telephone, because every figure on its pages looks like success. */
export function SimulatedNotice() {
  const settings = useAsk('GET accounts/:account/settings', {});
  const { simulated = [], reaching = [] } = settings.data?.defaults ?? {};
  const keys = useAsk('GET accounts/:account/keys', {}, { enabled: simulated.length > 0 });
  const live = (keys.data ?? []).filter((key) => !key.test && isInUse(key));
  const channels = simulated.filter((channel) =>
    live.some(({ restrictions: { channels } }) => channels.length === 0 || channels.includes(channel)),
  );
  if (channels.length === 0) return null;
  if (reaching.length > 0) return <SomeSimulated channels={channels} reaching={reaching} />;
  return (
    <p role="note" className={css.notice}>
      <strong>Live keys reach only the simulator.</strong> Codes look successful, but no telephone gets them,
      until your administrator adds carriers and routes for {WORDS.format(channels.map(messagesOf))}.
    </p>
  );
}

interface SomeSimulatedProps {
  readonly channels: readonly Channel[];
  readonly reaching: readonly Channel[];
}

/** Alarms only if somebody asked for such a message. */
function SomeSimulated({ channels, reaching }: SomeSimulatedProps) {
  const start = useAsk('GET accounts/:account/start', {}, { every: 60_000 });
  const names = channels.map((each) => (reaching.includes(each) ? 'some ' : '') + messagesOf(each));
  const list = WORDS.format(names);
  const sentence = `${list.charAt(0).toUpperCase()}${list.slice(1)} still go to the simulator`;
  if (!start.data?.simulated.some((channel) => channels.includes(channel))) {
    return (
      <p role="note" className={css.aside}>
        {sentence}. No telephone gets them until a route leads them to a carrier.
      </p>
    );
  }
  return (
    <p role="note" className={css.notice}>
      <strong>{sentence}.</strong> Live keys asked for some in the last 30 days. They look successful, but no
      telephone gets them until a route leads them to a carrier.
    </p>
  );
}
