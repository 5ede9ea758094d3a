/** Examples of what a schema describes. */
import type { Schema } from '../openapi.ts';

/** Its own example, or one put together from its parts. */
export function exampleOf({ examples, enum: values, properties, items }: Schema): unknown {
  if (examples?.[0] !== undefined) return examples[0];
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]));
  }
  return items === undefined ? values?.[0] : [exampleOf(items)];
}
