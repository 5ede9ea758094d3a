import { useEffect, useState } from 'react';
import type { HandsetMessage } from '#contract/handset.ts';
import { addressOf } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';

const KEPT = 50;

/** What has arrived since the page was opened and what the server still had, newest last. */
export function useMessages() {
  const account = useAccount();
  const [messages, setMessages] = useState<readonly HandsetMessage[]>([]);
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    const events = new EventSource(addressOf('GET accounts/:account/handset/events', account.id, {}));
    events.onopen = () => setConnected(true);
    // The browser connects again by itself.
    events.onerror = () => setConnected(false);
    events.onmessage = ({ data }) => {
      const message: HandsetMessage = JSON.parse(data);
      // After a reconnect the server may tell again what it told before.
      setMessages((known) =>
        [...known.filter(({ id, at }) => id !== message.id || at !== message.at), message].slice(-KEPT),
      );
    };
    return () => events.close();
  }, [account.id]);
  return { messages, connected };
}
