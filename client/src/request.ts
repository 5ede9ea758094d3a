/** What is asked for, in the client's own spelling of names. */
import type { Channel, Platform, VerifyBody } from './wire.ts';

export interface VerifyRequest {
  /** E.164, such as `+12025550123`; for `voice` also with an extension (`tel:`), or a SIP URI. */
  readonly destination: string;
  readonly channel: Channel;
  /** What is different about this one message. */
  readonly options?: VerifyOptions | undefined;
  /** What is known of the person who asks. It helps the service to tell people from bots. */
  readonly signals?: Signals | undefined;
  /** Up to 10 pairs of your own, such as the number of an order. `get` gives them back. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface VerifyOptions {
  /** The language of the message (BCP 47), such as `pt-BR`. */
  readonly locale?: string | undefined;
  /** A text that the operator of the service has configured. */
  readonly template?: string | undefined;
  /** 4 to 10. */
  readonly codeLength?: number | undefined;
  /** The 11 characters that tell Android which app an SMS is for. */
  readonly appHash?: string | undefined;
  /** The code to send, instead of one that the service draws. Only for keys that may bring codes, and for test keys. */
  readonly customCode?: string | undefined;
}

export interface Signals {
  /** The IP address of the person's device, as your application sees it. */
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
  /** What your application knows the device by. */
  readonly deviceId?: string | undefined;
  readonly devicePlatform?: Platform | undefined;
  readonly appVersion?: string | undefined;
  /** You know the person: the service refuses the code for no evidence of its own. */
  readonly isTrustedUser?: boolean | undefined;
}

export function bodyOf({ destination, channel, options, signals, metadata }: VerifyRequest): VerifyBody {
  return {
    destination,
    channel,
    ...(options && {
      options: {
        locale: options.locale,
        template: options.template,
        code_length: options.codeLength,
        app_hash: options.appHash,
        custom_code: options.customCode,
      },
    }),
    ...(signals && {
      signals: {
        ip: signals.ip,
        user_agent: signals.userAgent,
        device_id: signals.deviceId,
        device_platform: signals.devicePlatform,
        app_version: signals.appVersion,
        is_trusted_user: signals.isTrustedUser,
      },
    }),
    ...(metadata && { metadata }),
  };
}
