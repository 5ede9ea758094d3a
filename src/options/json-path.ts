import { text } from './fields.ts';

/** Of what would find nothing: JSONPath, as in `$.a`, and places in square brackets. */
const NO_DOLLAR = '(?!\\$(?:$|[.\\[]))';

/** Where a value is in a JSON answer. */
export function jsonPath(description: string, example: string) {
  return text(description, {
    minLength: 1,
    pattern: `^${NO_DOLLAR}(?!.*\\[\\d)`,
    expected: `a path such as ${example}, with dots only and without $`,
  });
}

/** The same of what may be a form, whose names may have brackets. */
export function fieldPath(description: string) {
  return text(description, {
    minLength: 1,
    maxLength: 200,
    pattern: `^${NO_DOLLAR}`,
    expected: 'a name such as status, or a path such as data.0.status, without $',
  });
}
