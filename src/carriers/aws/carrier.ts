/** AWS End User Messaging: its API with Signature Version 4, and its events through an SNS topic. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { speak, withChosen } from '../gateway/voices/speech.ts';
import { type FetchText, fetchText } from './certificates.ts';
import { AWS_ERRORS } from './errors.ts';
import type { AwsOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker, createRcsMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createAwsCarrier(
  name: string,
  options: AwsOptions,
  ports: CarrierPorts,
  fetch: FetchText = (url) => fetchText(ports.clock, url),
): Carrier {
  const { clock } = ports;
  const { region, sms, voice, rcs, receiptTopic } = options;
  const origin = new URL(options.url ?? `https://sms-voice.${region}.amazonaws.com`);
  const topic = ports.callbackUrl && receiptTopic;
  const judge = createJudge(topic !== undefined);
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && { origin, judge, request: createMessageMaker(clock, options, origin, sms) },
      rcs: rcs && { origin, judge, request: createRcsMaker(clock, options, origin, rcs) },
      voice: voice && {
        origin,
        judge,
        ...speak(
          withChosen(VOICES, voice.voices, String),
          voice.englishFallback,
          createCallMaker(clock, options, origin, voice),
        ),
      },
    },
    readCallback: topic ? createCallbackReader(clock, name, topic, fetch) : undefined,
  });
}

function createJudge(receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = parseAnswer(answer.body);
    if (isSuccess(answer))
      return accept(textAt(body, 'MessageId'), receiptFollows, 'the answer holds no MessageId');
    const reason = textAt(body, 'Reason');
    const exception = textAt(body, '__type')?.replace(/^.*#/, '');
    const isKnown = reason !== undefined && Object.hasOwn(AWS_ERRORS, reason);
    return judgeError(AWS_ERRORS, isKnown ? reason : exception, answer, now);
  };
}
