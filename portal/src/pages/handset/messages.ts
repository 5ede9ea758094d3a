import { useEffect, useState } from 'react';
import type { HandsetMessage } from '#contract/handset.ts';
import { addressOf } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';

const KEPT = 50;

/** The messages that the server still had and those that arrived since, newest last. */
export function useMessages() {
  const account = useAccount();
  const [messages, setMessages] = useState<readonly HandsetMessage[]>([]);
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    const events = new EventSource(addressOf('GET accounts/:account/handset/events', account.id, {}));
    events.onopen = () => setConnected(true);
    // The browser reconnects by itself.
    events.onerror = () => setConnected(false);
    events.onmessage = ({ data }) => {
      const message: HandsetMessage = JSON.parse(data);
      // After a reconnect the server may send the same messages again.
      setMessages((known) =>
        [...known.filter(({ id, at }) => id !== message.id || at !== message.at), message].slice(-KEPT),
      );
    };
    return () => events.close();
  }, [account.id]);
  return { messages, connected };
}
