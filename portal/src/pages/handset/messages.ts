import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { HandsetMessage } from '#contract/handset.ts';
import { addressOf } from '../../api/call.ts';
import { useAccount } from '../../frame/account.ts';

const KEPT = 50;
const AGAIN_MS = 5_000;

/** The messages that the server still had and those that arrived since, newest last. */
export function useMessages() {
  const account = useAccount();
  const client = useQueryClient();
  const [messages, setMessages] = useState<readonly HandsetMessage[]>([]);
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    let events: EventSource;
    let timer: number | undefined;
    const connect = () => {
      events = new EventSource(addressOf('GET accounts/:account/handset/events', account.id, {}));
      events.onopen = () => setConnected(true);
      events.onerror = () => {
        setConnected(false);
        // The browser reconnects by itself, but not after a refusal, and does not say why it was refused. Whoever is signed
        // out, or no longer a member, learns it from this; otherwise the service was busy.
        if (events.readyState !== EventSource.CLOSED) return;
        void client.invalidateQueries({ queryKey: ['GET me'] });
        timer = window.setTimeout(connect, AGAIN_MS);
      };
      events.onmessage = ({ data }) => {
        const message: HandsetMessage = JSON.parse(data);
        // After a reconnect the server may send the same messages again.
        setMessages((known) =>
          [...known.filter(({ id, at }) => id !== message.id || at !== message.at), message].slice(-KEPT),
        );
      };
    };
    connect();
    return () => {
      window.clearTimeout(timer);
      events.close();
    };
  }, [account.id, client]);
  return { messages, connected };
}
