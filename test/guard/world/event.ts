/** What a guard is shown: the lines of recorded traffic, one object each. */
export type WorldEvent = VerifyEvent | ReceiptEvent | ConfirmEvent;

export interface VerifyEvent {
  /** ISO 8601 in UTC, never before that of an earlier event. */
  readonly at: string;
  readonly op: 'verify';
  readonly ref: string;
  readonly account: string;
  /** Names of keys repeat between accounts. */
  readonly key: string;
  readonly destination: string;
  readonly channel: 'sms' | 'voice';
  /** The client brought the code: whether it was right is judged elsewhere. */
  readonly brought?: true;
  readonly client?: { readonly ip: string };
}

export interface ReceiptEvent {
  readonly at: string;
  readonly op: 'receipt';
  readonly ref: string;
  readonly outcome: 'delivered' | 'failed';
}

export interface ConfirmEvent {
  readonly at: string;
  readonly op: 'confirm';
  readonly ref: string;
  readonly ok: boolean;
}
