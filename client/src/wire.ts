/** What the service reads and writes, as its OpenAPI document says. Only types; a test holds them against the document. */

export type Channel = 'sms' | 'voice';

export type Platform = 'android' | 'ios' | 'ipados' | 'tvos' | 'web';

export interface VerifyBody {
  readonly destination: string;
  readonly channel: Channel;
  readonly options?: {
    readonly locale?: string | undefined;
    readonly template?: string | undefined;
    readonly code_length?: number | undefined;
    readonly app_hash?: string | undefined;
    readonly custom_code?: string | undefined;
  };
  readonly signals?: {
    readonly ip?: string | undefined;
    readonly user_agent?: string | undefined;
    readonly device_id?: string | undefined;
    readonly device_platform?: Platform | undefined;
    readonly app_version?: string | undefined;
    readonly is_trusted_user?: boolean | undefined;
  };
  readonly metadata?: Readonly<Record<string, string>>;
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

export interface SimulatorMessage {
  readonly id: string;
  readonly code: string;
}
