/**
 * Schemas are compiled when they are first used: compiling all of them would take a third of the start.
 */
import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';

type Validate = ReturnType<FastifySchemaCompiler<unknown>>;

// No coercion: a number instead of a string is an error. All errors: every faulty field is named at once. Verbose: each
// error brings its schema, and its description says what was expected.
const AJV = {
  ...{ coerceTypes: false, useDefaults: false, removeAdditional: false },
  ...{ allErrors: true, verbose: true },
} as const;

/** One for the process: what a schema was compiled to serves each server that has the schema. */
const buildValidator: FastifySchemaCompiler<unknown> = AjvCompiler()({}, { customOptions: AJV });

/** For what comes from elsewhere than a request. */
export const validatorOf = (schema: object): Validate => buildValidator({ schema, method: '', url: '' });

export function compileSchemasWhenUsed(app: FastifyInstance): void {
  const buildSerializer = SerializerSelector()();

  app.setValidatorCompiler((route) => {
    let compiled: Validate | undefined;
    const validate: Validate = (data: unknown) => {
      compiled ??= buildValidator(route);
      const result = compiled(data);
      validate.errors = compiled.errors ?? null;
      return result;
    };
    return validate;
  });
  app.setSerializerCompiler(({ method, url, httpStatus = '', schema }) => {
    let serialize: ReturnType<typeof buildSerializer> | undefined;
    return (document) => {
      serialize ??= buildSerializer({ method, url, httpStatus, schema });
      return serialize(document);
    };
  });
}
