import type { CarrierType } from '../../options/carrier-type.ts';
import { faultOf } from '../fault.ts';
import { readAuthority } from './authority.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { createRequestMaker } from './request.ts';
import { createJudge } from './verdict.ts';

export const http: CarrierType<HttpOptions> = {
  options: httpOptions,
  channelsOf: ({ channels }) => channels,
  findFault: (options) =>
    faultOf(() => {
      createRequestMaker(options);
      createJudge(options);
      readAuthority(options);
    }),
  load: async () => ({ create: (await import('./carrier.ts')).createHttpCarrier }),
};
