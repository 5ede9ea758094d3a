import type { CarrierType, Registering } from '../../options/carrier-type.ts';
import { isSenderName } from '../../options/senders.ts';
import { faultOf } from '../fault.ts';
import { lacking } from '../lacking.ts';
import { readAuthority } from './authority.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { checkReceipts } from './receipts/faults.ts';
import { createRequestMaker } from './request.ts';
import { createJudge } from './verdict.ts';

/** In any country, if the request has a place for the id. */
const registering: Registering<HttpOptions> = {
  of({ url, headers, json, form, templatesInAccount }) {
    if (/\{\{\s*templateId\s*\}\}/.test(JSON.stringify([url, headers, json, form]))) return 'sent';
    return templatesInAccount ? 'in-account' : 'no-fields';
  },
  inAccount: 'templatesInAccount',
};

export const http: CarrierType<HttpOptions> = {
  options: httpOptions,
  channelsOf: ({ channels }) => channels,
  sendersOf: ({ channels, sender, senders }) => [
    { channels, group: [], short: 'sender', one: sender, senders, isOptional: true, isName: isSenderName },
  ],
  registering,
  findFault: (options, { publicUrl }) =>
    faultOf(() => {
      createRequestMaker(options);
      createJudge(options);
      readAuthority(options);
      checkReceipts(options);
      if (options.receipts !== undefined && publicUrl === undefined)
        throw new Error('receipts: needs publicUrl, the address at which the gateway reaches this service');
    }),
  lacksForReports: ({ receipts }, _channel, { publicUrl }) => lacking({ publicUrl, receipts }),
  load: async () => ({ create: (await import('./carrier.ts')).createHttpCarrier }),
};
