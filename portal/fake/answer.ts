/** What one call of the fake API answers; no body is a 204. */
export interface Answer {
  readonly body?: unknown;
  readonly cookie?: 'in' | 'out';
  readonly csv?: string;
  /** Whither it redirects. */
  readonly location?: string;
}

interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
}

/** Under `METHOD path`, the path from /portal/api/ on. */
export type Handler = (call: Call) => Answer;

export class Refusal extends Error {
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly { readonly field: string; readonly detail: string }[] | undefined;
  readonly kind: string;

  constructor(status: number, title: string, detail = title, errors?: Refusal['errors'], kind = 'refused') {
    super(title);
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.kind = kind;
  }
}

export const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
/** An answer that is held to the contract. */
export const ok = <T>(body: T): Answer => ({ body });
