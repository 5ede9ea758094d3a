/** Turns a message into the request that the options describe. */
import { isMissedCall } from '../../core/destination/channel.ts';
import type { OutgoingMessage } from '../../core/sending/carrier.ts';
import type { GatewayRequest } from '../gateway/transport.ts';
import { prepareSenders } from '../sender-of.ts';
import { compileBody } from './body.ts';
import { compileHeaders } from './headers.ts';
import type { HttpOptions } from './options.ts';
import type { ReceiptAddress } from './receipts/proof.ts';
import type { Template } from './template.ts';
import { compileUrl } from './url.ts';
import { checkWellFormed } from './well-formed.ts';

const PLACEHOLDERS = [
  'to',
  'toDigits',
  'text',
  'code',
  'id',
  'locale',
  'channel',
  'sender',
  'entityId',
  'templateId',
  'receiptUrl',
] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];
type Values = Readonly<Record<Placeholder, string>>;

export interface RequestMaker {
  /** Scheme, host and port of the gateway. */
  readonly origin: URL;
  make(message: OutgoingMessage): GatewayRequest;
}

/** @throws Error that names the wrong option */
export function createRequestMaker(
  options: HttpOptions,
  receiptAddress: (() => ReceiptAddress) | undefined = undefined,
): RequestMaker {
  const { origin, path } = compileUrl(options.url, PLACEHOLDERS);
  const body = compileBody(options, PLACEHOLDERS);
  const headers = compileHeaders(options, body?.type, PLACEHOLDERS);
  const templates = [path, ...headers.values(), ...(body ? [body.template] : [])];
  checkPlaceholders(options, templates);

  const senderOf = prepareSenders(
    { from: options.sender, senders: options.senders },
    (sender = '') => sender,
  );

  const make = (message: OutgoingMessage): GatewayRequest => {
    const receipt = receiptAddress?.();
    const values = valuesOf(message, senderOf(message.destination.country), receipt?.url ?? '');
    return {
      method: options.method,
      path: path.fill(values),
      headers: Object.fromEntries([...headers].map(([name, template]) => [name, template.fill(values)])),
      body: body?.template.fill(values),
      reference: receipt?.reference,
    };
  };
  checkWellFormed(
    make({
      id: 'ver_0',
      accountId: 'acc_0',
      test: true,
      channel: 'sms',
      destination: { address: '+12025550123', kind: 'e164', country: 'US' },
      code: '000000',
      text: '000000',
      locale: 'en',
      expiresAt: 0,
    }),
  );
  return { origin, make };
}

/** A request without a number or a code would be answered 200 and verify nobody. */
function checkPlaceholders(options: HttpOptions, templates: readonly Template<Placeholder>[]): void {
  const used = new Set(templates.flatMap(({ uses }) => uses));
  const { sender, senders, receipts, channels } = options;
  if (used.has('sender') && sender === undefined && senders === undefined)
    throw new Error('sender: {{sender}} is used but not set');
  if (senders !== undefined && !used.has('sender')) throw new Error('senders: nothing holds {{sender}}');
  if (used.has('receiptUrl') && receipts === undefined)
    throw new Error('receipts: {{receiptUrl}} is used but receipts are not set');
  if (receipts?.proof.type === 'address' && !used.has('receiptUrl'))
    throw new Error('receipts.proof: nothing holds {{receiptUrl}}, the address that proves a receipt');
  const where = options.form ? 'form' : options.json === undefined ? 'url' : 'json';
  if (!used.has('to') && !used.has('toDigits'))
    throw new Error(`${where}: nothing holds {{to}} or {{toDigits}}`);
  if (!used.has('text') && !used.has('code')) throw new Error(`${where}: nothing holds {{text}} or {{code}}`);
  if (channels.some(isMissedCall) && !used.has('code'))
    throw new Error(`${where}: nothing holds {{code}}, with which the number of a missed call is to end`);
}

function valuesOf(message: OutgoingMessage, sender: string, receiptUrl: string): Values {
  const { address } = message.destination;
  const { entity = '', template = '' } = message.registration ?? {};
  return {
    to: address,
    toDigits: address.replace(/^\+/, ''),
    // Percent-encoding throws on half a surrogate pair.
    text: message.text.toWellFormed(),
    code: message.code,
    id: message.id,
    locale: message.locale,
    channel: message.channel,
    sender,
    entityId: entity,
    templateId: template,
    receiptUrl,
  };
}
