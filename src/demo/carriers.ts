/** The carriers of the demo, which are invented. Whatever their types are, all that is made of them are simulators. */
import type { createCarriers } from '../carriers/index.ts';
import { createSimulatorCarrier } from '../carriers/simulator/carrier.ts';
import type { Channel } from '../core/destination/channel.ts';
import type { Destination } from '../core/destination/destination.ts';
import { createPriceList } from '../core/sending/prices.ts';
import { compileRoutes, type Route } from '../core/sending/routing.ts';

interface DemoCarrier {
  readonly channel: Channel;
  /** Medians of the week: until it takes a message, and from then until it reports. */
  readonly submitMs: number;
  readonly deliverMs: number;
  /** Of what it takes. */
  readonly delivered: number;
  /** As configured. */
  readonly options: {
    readonly type: string;
    readonly prices: Readonly<Record<string, number>>;
    readonly [option: string]: unknown;
  };
  /** In its own words: of the network, and of the telephone. */
  readonly refusals: readonly string[];
  readonly undelivered: readonly string[];
}

const smppAt = (host: string) =>
  ({ type: 'smpp', host, systemId: 'demo', password: 'invented', source: 'Demo' }) as const;

export const DEMO_CARRIERS = {
  northwind: {
    ...{ channel: 'sms', submitMs: 110, deliverMs: 2_600, delivered: 0.975 },
    options: {
      ...smppAt('smsc.northwind.example'),
      prices: {
        default: 0.055,
        GB: 0.038,
        DE: 0.071,
        FR: 0.052,
        SE: 0.046,
        IE: 0.049,
        ES: 0.044,
        US: 0.0081,
      },
    },
    refusals: ['ESME_RINVDSTADR', 'ESME_RSUBMITFAIL'],
    undelivered: ['UNDELIV 001', 'EXPIRED 034', 'UNDELIV 027'],
  },
  meridian: {
    ...{ channel: 'sms', submitMs: 340, deliverMs: 8_200, delivered: 0.89 },
    options: {
      ...smppAt('smpp.meridian.example'),
      prices: { default: 0.031, GB: 0.029, DE: 0.058, US: 0.0065, CA: 0.0069, BR: 0.021, ID: 0.2 },
    },
    refusals: ['ESME_RINVDSTADR', 'ESME_RX_P_APPN'],
    undelivered: ['UNDELIV 006', 'REJECTD 008', 'EXPIRED 099'],
  },
  voxline: {
    ...{ channel: 'voice', submitMs: 420, deliverMs: 14_000, delivered: 0.93 },
    options: {
      ...{
        type: 'asterisk',
        url: 'https://pbx.voxline.example',
        user: 'demo',
        password: 'invented',
        trunk: 'voxline',
      },
      prices: { default: 0.024, GB: 0.018, US: 0.014, CA: 0.014 },
    },
    refusals: ['unknown number (SIP 404, cause 1)', 'number incomplete (SIP 484, cause 28)'],
    undelivered: ['busy (SIP 486, cause 17)', 'no answer', 'rejected (SIP 603, cause 21)'],
  },
} as const satisfies Readonly<Record<string, DemoCarrier>>;

/** What refuses most of its messages on one evening, and its words for that. */
export const OUTAGE_CARRIER = 'northwind';
export const OUTAGE_REASONS = ['ESME_RTHROTTLED', 'ESME_RMSGQFUL', 'ESME_RSYSERR'] as const;

export type DemoCarrierName = keyof typeof DEMO_CARRIERS;

const EUROPE = ['GB', 'DE', 'FR', 'ES', 'SE', 'IE'] as const;

export const DEMO_ROUTES: readonly Route[] = [
  { channel: 'sms', countries: EUROPE, carriers: ['northwind', 'meridian'] },
  { channel: 'sms', carriers: ['meridian', 'northwind'], weights: { meridian: 60, northwind: 40 } },
  { channel: 'voice', carriers: ['voxline'] },
];

const findRoute = compileRoutes(DEMO_ROUTES);

/** Each destination of the demo has one. */
export function routeOfDemo(channel: Channel, destination: Destination): Route {
  const found = findRoute(channel, destination);
  if (!found.ok) throw new Error(`the demo has no route for ${channel} to ${destination.country}`);
  return found.route;
}

export const DEMO_OPTIONS: Readonly<Record<DemoCarrierName, DemoCarrier['options']>> = {
  northwind: DEMO_CARRIERS.northwind.options,
  meridian: DEMO_CARRIERS.meridian.options,
  voxline: DEMO_CARRIERS.voxline.options,
};

export const priceAtDemo = createPriceList({ carriers: DEMO_OPTIONS, priceRows: [] });

/** In place of those that can send. */
export const simulateCarriers: typeof createCarriers = async ({ carriers }, ports) =>
  Object.keys(carriers).map((name) => createSimulatorCarrier(name, ports));

export const isDemoCarrier = (name: string): name is DemoCarrierName => name in DEMO_CARRIERS;
