/** Which span of which trace something belongs to, and how W3C Trace Context writes that down. */

export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly sampled: boolean;
  /** What others in the trace say of it, as it came. */
  readonly state?: string | undefined;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

const KEY = '(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})';
const VALUE = '[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]';
const MEMBER = new RegExp(`^${KEY}=${VALUE}$`);
const MOST_MEMBERS = 32;
const LONGEST_STATE = 512;

type Header = string | readonly string[] | undefined;

/** The caller's span. Undefined if it names none, or not as the standard says: then the request begins a trace. */
export function readContext(traceparent: Header, tracestate: Header): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    typeof traceparent === 'string' ? (PARENT.exec(traceparent) ?? []) : [];
  if (version === undefined || version === 'ff' || traceId === NO_TRACE || spanId === NO_SPAN)
    return undefined;
  // Later versions may say more behind it.
  if (version === '00' && rest !== undefined) return undefined;
  const state = typeof tracestate === 'string' ? readState(tracestate) : undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, state };
}

/** Undefined if any member is wrong: nobody can tell what the others then mean. */
function readState(text: string): string | undefined {
  const members = text.split(',').map((member) => member.trim());
  const named = members.filter((member) => member !== '');
  const keys = new Set(named.map((member) => member.slice(0, member.indexOf('='))));
  const isValid = named.every((member) => MEMBER.test(member)) && keys.size === named.length;
  const state = named.join(',');
  const fits = members.length <= MOST_MEMBERS && state.length <= LONGEST_STATE;
  return isValid && fits && state !== '' ? state : undefined;
}

/** As a `traceparent`. */
export function formatContext({ traceId, spanId, sampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
