/** The optional part of the body of POST /verify. What a shape cannot say is checked where it is used (core/body). */
import Type, { type Static } from 'typebox';
import {
  METADATA_LENGTH,
  METADATA_NAME,
  METADATA_PAIRS,
  type Metadata as Pairs,
} from '../core/body/metadata.ts';
import type { RequestOptions } from '../core/body/options.ts';
import { type Signals as PersonSignals, PLATFORMS, type Platform } from '../core/body/signals.ts';
import { LENGTHS } from '../core/verification/code.ts';

const [least, most] = LENGTHS;

export const Options = Type.Object(
  {
    locale: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 35,
        description:
          'The language of the message (BCP 47), instead of that of the account, of the configuration or of the destination. Where there is no text in it, they apply.',
        examples: ['pt-BR'],
      }),
    ),
    code_length: Type.Optional(
      Type.Integer({
        minimum: least,
        maximum: most,
        description: 'The number of characters of the code. It allows as many guesses as any other.',
        examples: [8],
      }),
    ),
    template: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'The name of one of the texts that the operator configured under `messages.named`.',
        examples: ['login'],
      }),
    ),
    app_hash: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9+/]{11}$',
        description:
          'The 11 characters of A-Z, a-z, 0-9, + and / that tell Android which app an SMS is for (SMS Retriever). Calls do without.',
        examples: ['FA+9qCX9VSu'],
      }),
    ),
    custom_code: Type.Optional(
      Type.String({
        minLength: least,
        maxLength: most,
        description:
          'The code to send, instead of one that the service draws: digits, or digits and capital letters without I, L, O and U where codes have letters. Only for keys that may bring codes, and for test keys.',
        examples: ['482913'],
      }),
    ),
  },
  {
    description: 'How this message differs from the usual. Other members are ignored.',
    examples: [{ locale: 'en-GB' }],
  },
);

export const SignalsSchema = Type.Object(
  {
    ip: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 64,
        description:
          'The IP address (IPv4 or IPv6) of the person’s device, as your application sees it. Only a keyed hash of it is kept (of IPv6, of the first 64 bits), and its network: the first 24 bits of IPv4, 48 of IPv6.',
        examples: ['203.0.113.9'],
      }),
    ),
    user_agent: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'The `User-Agent` of the person’s browser or app. Only a keyed hash of it is kept.',
        examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
      }),
    ),
    device_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'What your application knows the person’s device by. Only a keyed hash of it is kept. The guard counts codes by device.',
        examples: ['7b1e4c52-2f4e-4d9b-a1a7-2a1d5f3f9c11'],
      }),
    ),
    device_platform: Type.Optional(
      Type.Unsafe<Platform>({
        type: 'string',
        enum: [...PLATFORMS],
        description: 'What the person’s device runs.',
        examples: ['android'],
      }),
    ),
    app_version: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'The version of your app.',
        examples: ['4.2.1'],
      }),
    ),
    is_trusted_user: Type.Optional(
      Type.Boolean({
        description:
          'Whether your application knows the person already. Then the guard refuses the code for no evidence, and counts it nowhere; rules of the operator, limits and budgets apply.',
        examples: [true],
      }),
    ),
  },
  {
    description:
      'What is known of the person who asks. It helps the service to tell people from bots. Other members are ignored.',
    // Samples are copied: none of them may vouch for everybody.
    examples: [{ ip: '203.0.113.9', device_platform: 'android' }],
  },
);

/** The pairs themselves are checked later: an error of the schema would repeat their names, whatever they hold. */
export const MetadataSchema = Type.Unsafe<Pairs>({
  type: 'object',
  description: `What you want to keep with the verification, such as your number of the order: up to ${METADATA_PAIRS} pairs. A name is 1 to 40 letters, digits, underscores, dots and hyphens (\`${METADATA_NAME}\`); a value is a string of 1 to ${METADATA_LENGTH} characters without control characters. It is kept sealed, and comes back in \`GET /verifications/{id}\`.`,
  examples: [{ correlation_id: 'order-4711' }],
});

export const MetadataAnswer = Type.Record(Type.String(), Type.String(), {
  description: 'What was given as `metadata`; absent if nothing was.',
  examples: [{ correlation_id: 'order-4711' }],
});

export function readOptionsOfBody(options: Static<typeof Options>): RequestOptions {
  const { locale, code_length, template, app_hash, custom_code } = options;
  return { locale, codeLength: code_length, template, appHash: app_hash, customCode: custom_code };
}

export function readSignalsOfBody(signals: Static<typeof SignalsSchema>): PersonSignals {
  const { ip, user_agent, device_id, device_platform, app_version, is_trusted_user } = signals;
  return {
    ...{ ip, userAgent: user_agent, deviceId: device_id },
    ...{ devicePlatform: device_platform, appVersion: app_version, isTrustedUser: is_trusted_user },
  };
}
