/** Turns a message into the request that the options describe. */
import { isMissedCall } from '../../core/destination/channel.ts';
import type { OutgoingMessage } from '../../core/sending/carrier.ts';
import { nodeHttp } from '../../runtime/node-http.ts';
import type { GatewayRequest } from '../gateway/transport.ts';
import { prepareSenders } from '../sender-of.ts';
import { compileBody } from './body.ts';
import { compileHeaders } from './headers.ts';
import type { HttpOptions } from './options.ts';
import type { ReceiptAddress } from './receipts/proof.ts';
import { type BodyTemplate, compileTemplate, type Values } from './template.ts';

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
  const { origin, path } = compileUrl(options.url);
  const body = compileBody(options);
  const headers = compileHeaders(options, body?.type);
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
  rehearse(make);
  return { origin, make };
}

/** The host is fixed: with a placeholder there, a message could choose where our credentials go. */
function compileUrl(url: string): { origin: URL; path: BodyTemplate } {
  const [, base = '', rest = ''] = /^(https?:\/\/[^/?#\\]+)(.*)$/is.exec(url) ?? [];
  if (base.includes('{{')) throw new Error('url: placeholders may only be in the path and the query');
  if (base.includes('@')) throw new Error('url: credentials belong in basic');
  if (!URL.canParse(base)) throw new Error('url: not an http or https address');
  if (rest.includes('#')) throw new Error('url: a fragment is never sent');
  // Filled in as text: the URL parser would read a value of `..` as the parent folder.
  return {
    origin: new URL(base),
    path: compileTemplate('url', rest.startsWith('/') ? rest : `/${rest}`, encodeURIComponent),
  };
}

/** A request without a number or a code would be answered 200 and verify nobody. */
function checkPlaceholders(options: HttpOptions, templates: readonly BodyTemplate[]): void {
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

/** Makes a request from an invented message, so that mistakes show now and not at the first code. */
function rehearse(make: (message: OutgoingMessage) => GatewayRequest): void {
  const { path, headers } = make({
    id: 'ver_0',
    accountId: 'acc_0',
    test: true,
    channel: 'sms',
    destination: { address: '+12025550123', kind: 'e164', country: 'US' },
    code: '000000',
    text: '000000',
    locale: 'en',
    expiresAt: 0,
  });
  if (!/^[\x21-\x7e]*$/.test(path)) throw new Error('url: path and query must be percent-encoded');
  for (const [name, value] of Object.entries(headers)) {
    try {
      nodeHttp.validateHeaderName(name);
      nodeHttp.validateHeaderValue(name, value);
    } catch {
      throw new Error(`headers.${name}: not a valid HTTP header`);
    }
  }
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
