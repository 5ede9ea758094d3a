import type { CarrierType } from '../../options/carrier-type.ts';
import { isSenderName } from '../../options/senders.ts';
import { INDIAN_IDS } from '../registering.ts';
import { findSmppFault, OPTIONAL_PARAMETERS_SINCE } from './fault.ts';
import { type SmppOptions, smppOptions } from './options.ts';

/** Without a sender, the SMSC decides. */
const isShownAsName = (sender: string) => sender !== '' && isSenderName(sender);

export const smpp: CarrierType<SmppOptions> = {
  options: smppOptions,
  channelsOf: () => ['sms'],
  sendersOf: ({ source, senders }) => [
    { channels: ['sms'], group: [], short: 'source', one: source, senders, isName: isShownAsName },
  ],
  registering: {
    of: (options, country) =>
      options.interfaceVersion < OPTIONAL_PARAMETERS_SINCE ? 'no-fields' : INDIAN_IDS.of(options, country),
    fieldsWith: (country) => (country === 'IN' ? 'interfaceVersion: 0x34' : undefined),
  },
  findFault: findSmppFault,
  lacksForReports: ({ receipts }) => (receipts ? [] : ['receipts']),
  load: async () => ({ create: (await import('./carrier.ts')).createSmppCarrier }),
};
