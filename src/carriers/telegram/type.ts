import type { CarrierType } from '../../options/carrier-type.ts';
import { LONGEST_CODE, type TelegramOptions, telegramOptions } from './options.ts';

export const telegram: CarrierType<TelegramOptions> = {
  options: telegramOptions,
  channelsOf: () => ['telegram'],
  findFault: (_options, { code }) =>
    code === undefined || (code.alphabet === 'digits' && code.length <= LONGEST_CODE)
      ? null
      : `type: takes only codes of 4 to ${LONGEST_CODE} digits, and code.length and code.alphabet ask for others`,
  lacksForReports: (_options, _channel, { publicUrl }) =>
    publicUrl === undefined ? ['publicUrl'] : 'too-late',
  load: async () => ({ create: (await import('./carrier.ts')).createTelegramCarrier }),
};
