import { useAsk } from '../api/hooks.ts';
import { messagesOf } from '../format/channel.ts';
import css from './frame.module.css';

const WORDS = new Intl.ListFormat('en-GB');
const EVERY_MS = 60_000;

export const useStart = () => useAsk('GET accounts/:account/start', {}, { every: EVERY_MS });

/** Says that all is a demo, or warns an account with live keys that reach no telephone, because every figure on its pages looks like success. */
export function SimulatedNotice() {
  const { data } = useStart();
  if (data === undefined) return null;
  if (data.demo) {
    return (
      <p role="note" className={css.aside}>
        This is a demo: its traffic is invented, nothing is sent to a telephone, and all of it goes away when
        the command ends.
      </p>
    );
  }
  if (data.live_simulated.length === 0) return null;
  const { live_simulated: channels, reaching, simulated: asked } = data;
  if (reaching.length === 0) {
    return (
      <p role="note" className={css.notice}>
        <strong>Live keys reach only the simulator.</strong> Codes look successful, but no telephone gets
        them, until your administrator adds carriers and routes for {WORDS.format(channels.map(messagesOf))}.
      </p>
    );
  }
  const names = channels.map((each) => (reaching.includes(each) ? 'some ' : '') + messagesOf(each));
  const list = WORDS.format(names);
  const sentence = `${list.charAt(0).toUpperCase()}${list.slice(1)} still go to the simulator`;
  // Alarms only if somebody asked for such a message.
  if (!asked.some((channel) => channels.includes(channel))) {
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
