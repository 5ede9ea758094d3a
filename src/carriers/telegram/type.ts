import type { CarrierType } from '../../options/carrier-type.ts';
import { type TelegramOptions, telegramOptions } from './options.ts';

export const telegram: CarrierType<TelegramOptions> = {
  options: telegramOptions,
  channelsOf: () => ['telegram'],
  load: async () => ({ create: (await import('./carrier.ts')).createTelegramCarrier }),
};
