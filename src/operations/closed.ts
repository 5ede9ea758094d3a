/** A JSON Schema, as far as it is walked. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * The same schema, of which no object takes what it does not name: a misspelled member would be none. One that says `additionalProperties`
 * itself stays as it is, with everything in it.
 */
export function closed(schema: object): object {
  const { properties, patternProperties, items, anyOf, additionalProperties }: Schema = { ...schema };
  if (additionalProperties !== undefined) return schema;
  return {
    ...schema,
    ...(isObject(properties) && { properties: closedValues(properties), additionalProperties: false }),
    ...(isObject(patternProperties) && { patternProperties: closedValues(patternProperties) }),
    ...(isObject(items) && { items: closed(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((each) => (isObject(each) ? closed(each) : each)) }),
  };
}

const closedValues = (schemas: object): object =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isObject(schema) ? closed(schema) : schema]),
  );

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
