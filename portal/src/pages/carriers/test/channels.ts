import type { RoutingView } from '#contract/routing.ts';

type Channel = RoutingView['carriers'][number]['channels'][number];

interface RouteOver {
  readonly channel: Channel;
  readonly carriers: readonly { readonly name: string }[];
  readonly legs: readonly { readonly channel: Channel; readonly carriers: readonly string[] }[];
}

/** What a test may go by over the carrier. Those come first for which a route asks it: the first is chosen until somebody chooses. */
export function channelsToTest(
  { name, channels }: { readonly name: string; readonly channels: readonly Channel[] },
  offered: readonly Channel[],
  routes: readonly RouteOver[],
): readonly Channel[] {
  const routed = new Set(
    routes.flatMap(({ channel, carriers, legs }) => [
      ...(carriers.some((each) => each.name === name) ? [channel] : []),
      ...legs.filter((leg) => leg.carriers.includes(name)).map((leg) => leg.channel),
    ]),
  );
  const usable = channels.filter((channel) => offered.includes(channel));
  return [...usable.filter((each) => routed.has(each)), ...usable.filter((each) => !routed.has(each))];
}
