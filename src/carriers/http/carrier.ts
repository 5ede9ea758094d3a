/** A carrier behind any HTTP gateway. The options describe the request, how to read the answer, and the receipts. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createGatewayCarrier, type GatewayLine } from '../gateway/carrier.ts';
import { readAuthority } from './authority.ts';
import type { HttpOptions } from './options.ts';
import { createReceiptReader } from './receipts/receipts.ts';
import { createRequestMaker } from './request.ts';
import { createJudge } from './verdict.ts';

/**
 * Opens no connection yet.
 * @throws Error that begins with the name of the wrong option
 */
export function createHttpCarrier(name: string, options: HttpOptions, ports: CarrierPorts): Carrier {
  const { callbackUrl } = ports;
  const receipts =
    callbackUrl === undefined ? undefined : createReceiptReader(ports, name, options, callbackUrl);
  const { origin, make } = createRequestMaker(options, receipts?.address);
  const line: GatewayLine = { origin, request: make, judge: createJudge(options, receipts !== undefined) };
  const lines = Object.fromEntries(options.channels.map((channel) => [channel, line]));
  return createGatewayCarrier(ports, {
    name,
    lines,
    ca: readAuthority(options),
    readCallback: receipts?.read,
  });
}
