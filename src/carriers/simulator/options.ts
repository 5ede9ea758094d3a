import Type from 'typebox';

/** Options of a `simulator` carrier: it needs nothing but its type. */
export const simulatorOptions = Type.Object(
  { type: Type.Literal('simulator', { description: 'Keeps messages to be read back; sends nothing.' }) },
  { additionalProperties: false },
);
