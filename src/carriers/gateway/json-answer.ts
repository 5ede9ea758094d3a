/** Reads a gateway's JSON answer. */

/** Only such text can hold a number that a double does not: to look at each value takes ten times as long as to read them. */
const LONG_NUMBER = /\d{16}|\de/i;

/** Parses an answer; undefined if there is none or it is not JSON. Numbers too long for a double, such as ids, stay text. */
export function parseAnswer(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    // Some begin with a byte order mark, which a reader may pass over (RFC 8259, section 8.1).
    const text = body.replace(/^\ufeff/, '');
    if (!LONG_NUMBER.test(text)) return JSON.parse(text);
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? (context?.source ?? value)
        : value,
    );
  } catch {
    return undefined;
  }
}

/** The string, number or boolean at a path such as `messages.0.message-id`, as text; undefined if there is none. */
export function textAt(answer: unknown, path: string): string | undefined {
  const value = valueAt(answer, path);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/**
 * A gateway's name of an error at such a path, as `textAt`. Undefined for what could be a text, a number of somebody or a code, because
 * gateways repeat those: it has no spaces, and not as many as six digits.
 */
export function errorNameAt(answer: unknown, path: string): string | undefined {
  const text = textAt(answer, path);
  if (text === undefined || !/^[\w.:-]{1,64}$/.test(text)) return undefined;
  return text.replace(/\D/g, '').length < 6 ? text : undefined;
}

/** The list at such a path; undefined if there is none. */
export function listAt(answer: unknown, path: string): readonly unknown[] | undefined {
  const value = valueAt(answer, path);
  return Array.isArray(value) ? value : undefined;
}

function valueAt(answer: unknown, path: string): unknown {
  let value = answer;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
