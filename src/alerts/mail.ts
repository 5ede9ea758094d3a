/** Sends mail over SMTP. The library is loaded by the first notification. */
import type { Transporter } from 'nodemailer';
import { isEmail } from '../core/accounts/name.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Notification } from './notification.ts';

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  readonly encryption: 'starttls' | 'tls' | 'none';
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly from: string;
}

export type SentNotification =
  | { readonly kind: 'sent' }
  /** The answer is for people, and names no secret. */
  | { readonly kind: 'failed'; readonly answer: string };

export interface Mail {
  send(to: string, notification: Notification): Promise<SentNotification>;
  close(): void;
}

/** Of each wait for the server, and of everything together: a server that hangs holds up nobody. */
const STEP_MS = 10_000;
const MAIL_MS = 20_000;

/** `ca`: certificates to trust instead of the usual ones; for tests. */
export function createMail(clock: Pick<Clock, 'wall' | 'after'>, options: SmtpOptions, ca?: string): Mail {
  let transport: Promise<Transporter> | undefined;
  return {
    async send(to, notification) {
      if (!isEmail(to)) return { kind: 'failed', answer: 'its address is not one' };
      try {
        transport ??= open(options, ca);
        const message = messageTo(to, notification, options.from, clock.wall());
        await within(clock, MAIL_MS, (await transport).sendMail(message));
        return { kind: 'sent' };
      } catch (error) {
        return { kind: 'failed', answer: answerOf(error) };
      }
    },
    close: () => void transport?.then((opened) => opened.close()).catch(() => {}),
  };
}

async function open(
  { host, port, encryption, user, password }: SmtpOptions,
  ca?: string,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...{ host, port, secure: encryption === 'tls' },
    // Without it a server that hides STARTTLS, or somebody on the way, would get the password in clear.
    ...{ requireTLS: encryption === 'starttls', ignoreTLS: encryption === 'none' },
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
    ...{ connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS },
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
}

/** An address is given as one, and never as a text that is taken apart. */
function messageTo(to: string, { id, subject, text, html }: Notification, from: string, now: number) {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    from: { name: 'Countersign', address: from },
    to: { name: '', address: to },
    ...{ subject, text, html },
    messageId: `<${id}@${domain}>`,
    date: new Date(now),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

class TooLate extends Error {}

async function within<T>(clock: Pick<Clock, 'after'>, ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = clock.after(ms, () => reject(new TooLate(`no answer within ${ms / 1_000} s`)));
  return await Promise.race([work, promise]);
}

const WORDS: Readonly<Record<string, string>> = {
  EAUTH: 'the server refuses the user or the password',
  ETIMEDOUT: 'the server does not answer in time',
  EDNS: 'the name of the server is not known',
  ETLS: 'the server offers no TLS, or another than was asked for',
  ENOTFOUND: 'the name of the server is not known',
};

const factsOf = (error: object): { readonly code?: unknown; readonly responseCode?: unknown } => error;

/** For people: never what the server wrote, which may name addresses. */
function answerOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error instanceof TooLate) return error.message;
  const { code, responseCode } = factsOf(error);
  const known = typeof code === 'string' ? WORDS[code] : undefined;
  if (known !== undefined) return known;
  if (typeof responseCode === 'number') return `SMTP ${responseCode}`;
  return typeof code === 'string' ? `the connection failed (${code})` : 'it failed';
}
