/** What the service reads and writes, as its OpenAPI document says: a test holds it against the document. */

/** Every service offers `sms` and `voice`, the others where a route serves them. */
export const CHANNELS = ['sms', 'voice', 'whatsapp', 'telegram', 'rcs', 'flashcall'] as const;

export type Channel = (typeof CHANNELS)[number];

export interface VerifyRequest {
  /** E.164, such as `+12025550123`; for `voice` also with an extension (`tel:`), or a SIP URI. */
  readonly destination: string;
  readonly channel: Channel;
  readonly options?: VerifyOptions | undefined;
  /** What is known of the person who asks. It helps the service to tell people from bots. */
  readonly signals?: Signals | undefined;
  /** Yours: `get` gives it back. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface VerifyOptions {
  /** BCP 47, such as `pt-BR`. */
  readonly locale?: string | undefined;
  readonly template?: string | undefined;
  readonly code_length?: number | undefined;
  readonly app_hash?: string | undefined;
  /** Only for keys that may bring codes. */
  readonly custom_code?: string | undefined;
}

export interface Signals {
  /** The IP address of the person's device, as your application sees it. */
  readonly ip?: string | undefined;
  readonly user_agent?: string | undefined;
  readonly device_id?: string | undefined;
  readonly device_platform?: 'android' | 'ios' | 'ipados' | 'tvos' | 'web' | undefined;
  readonly app_version?: string | undefined;
  readonly is_trusted_user?: boolean | undefined;
}

export interface VerifyAnswer {
  readonly id: string;
  /** In its one canonical spelling. */
  readonly destination: string;
  readonly channel: Channel;
}

export interface ConfirmRequest {
  readonly id: string;
  readonly code: string;
}

export interface ConfirmAnswer extends VerifyAnswer {
  readonly confirmed_at: string;
}

type Status = 'queued' | 'submitted' | 'delivered' | 'undelivered' | 'failed' | 'confirmed' | 'expired';

type AttemptState = 'submitted' | 'delivered' | 'undelivered' | 'failed';

export interface VerificationAnswer {
  readonly id: string;
  readonly destination?: string;
  readonly channel: Channel;
  readonly status: Status;
  readonly created_at: string;
  readonly expires_at: string;
  readonly confirmed_at?: string;
  readonly guesses_left: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly attempts: readonly {
    readonly channel: Channel;
    readonly state: AttemptState;
    readonly started_at: string;
    readonly changed_at: string;
  }[];
}

export type Verdict = 'fraud' | 'good';

export interface FeedbackRequest {
  /** Null takes back what was said. */
  readonly verdict: Verdict | null;
}

export interface FeedbackAnswer extends FeedbackRequest {
  readonly id: string;
}

export interface SimulatorMessage {
  readonly id: string;
  readonly code: string;
}
