/** What options look for in a gateway's JSON answer. */

/** Parses an answer; undefined when there is none or it is not JSON. Numbers too long for a double, as ids often are, stay text. */
export function parseAnswer(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? (context?.source ?? value)
        : value,
    );
  } catch {
    return undefined;
  }
}

/** The string, number or boolean at a path such as `messages.0.message-id`, as text; undefined when there is none. */
export function textAt(answer: unknown, path: string): string | undefined {
  let value = answer;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
