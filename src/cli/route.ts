/** Explains how a message would be sent, without sending it. Works beside a running service. */

import { createCarriers, INERT } from '../carriers/index.ts';
import type { Config } from '../config/table/schema.ts';
import { type Channel, isSpoken } from '../core/destination/channel.ts';
import {
  type Destination,
  parseDestination,
  type RefusedDestination,
} from '../core/destination/destination.ts';
import { createScreens } from '../core/destination/never-sent.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { createPriceList } from '../core/sending/prices.ts';
import { compileRoutes, findMisfits, type Route } from '../core/sending/routing.ts';
import { formatDuration } from '../core/verification/limits.ts';
import { warnOfSenders } from '../proposal/sender-warnings.ts';
import { warnOfTexts } from '../proposal/text-warnings.ts';
import type { RouteExplanation } from '../routing/explanation.ts';
import { createRouting } from '../routing/index.ts';
import { planMessage } from '../routing/plan.ts';
import { readConfiguration } from './configuration.ts';
import { CommandFailure } from './failure.ts';
import { withStore } from './store/command-store.ts';
import { formatTable } from './table.ts';

interface ExplainOptions {
  readonly channel: Channel;
  readonly json?: boolean;
}

/** Prints the route, the order of its carriers and the price. The output holds no destination and no code. */
export async function printRoute(input: string, { channel, json = false }: ExplainOptions): Promise<void> {
  const config = await readConfiguration();
  const { countries, neverSend } = config.guard;
  const parsed = parseDestination(input, channel, createScreens(neverSend).live);
  if (!parsed.ok) throw new CommandFailure(describeRefusal(parsed));
  const { country } = parsed.destination;
  if (countries.length > 0 && !countries.includes(country)) {
    throw new CommandFailure(`nothing is sent to ${country}: it is not in guard.countries`);
  }
  const found = compileRoutes(config.routes)(channel, parsed.destination);
  if (!found.ok) throw new CommandFailure(describeMisfits(config.routes, channel, parsed.destination));
  const explanation = await explain(config, found.route, parsed.destination);
  if (channel === 'sms') warn(config, country);
  console.log(json ? JSON.stringify(explanation, null, 2) : format(explanation));
}

/** On standard error, as `config check` does, of senders and texts in that country. */
function warn(config: Config, country: string): void {
  const there = { ...config, guard: { ...config.guard, countries: [country] } };
  for (const { key, detail } of [...warnOfSenders(there), ...warnOfTexts(there)]) {
    console.error(`warning: ${key}: ${detail}`);
  }
}

async function explain(config: Config, route: Route, destination: Destination): Promise<RouteExplanation> {
  const { routes, messages, code } = config;
  const carriers = await createCarriers(config, INERT);
  const priceOf = createPriceList(config);
  return withStore(config, async (store) => {
    const now = store.clock.now();
    const routing = createRouting({
      ...{ routes, carriers, priceOf, tallies: store, simulatedRoutes: new Set() },
      ...{ random: SYSTEM_RANDOM.fraction, onLiveSimulated: () => {} },
    });
    await routing.warm(now);
    const plan = await planMessage(
      { config, routing, priceOf, store },
      { messages, code },
      { route, destination, now },
    );
    return plan.explanation;
  });
}

function describeRefusal({ code, detail, range }: RefusedDestination): string {
  const reason =
    range === undefined ? code : `${code}: ${range} is never sent to unless guard.neverSend.allow names it`;
  return `${detail} (${reason})`;
}

function describeMisfits(routes: readonly Route[], channel: Channel, destination: Destination): string {
  const reasons = findMisfits(routes, channel, destination).map(
    (misfit, index) => `routes[${index}] serves another ${misfit}`,
  );
  return `no route takes ${channel} to ${destination.country}: ${reasons.join(', ') || 'there are none'}`;
}

function format({
  channel,
  country,
  route,
  not_taken,
  text,
  currency,
  carriers,
  legs,
}: RouteExplanation): string {
  const rows = carriers.map(({ carrier, why, speech, price, daily_cap, taken_today, breakers }) => ({
    carrier,
    why,
    ...(isSpoken(channel) && text !== null && { speech: describeSpeech(speech, text.language) }),
    price: price === null ? 'unknown' : `${price} ${currency}`,
    today: daily_cap === null ? `${taken_today} taken` : `${taken_today} of ${daily_cap} taken`,
    breaker: describeBreakers(breakers),
  }));
  return [
    `${channel} to ${country}`,
    ...not_taken.map(
      ({ index, serves_another }) => `  not routes[${index}]: it serves another ${serves_another}`,
    ),
    `  routes[${route.index}] takes it, by ${route.chooses}${route.daily_cap === null ? '' : `, at most ${route.daily_cap} a day`}`,
    `  text: ${describeText(channel, text)}`,
    '',
    formatTable(rows),
    ...legs.map(describeLeg),
    '',
    'Nothing was sent.',
  ].join('\n');
}

function describeText(channel: Channel, text: RouteExplanation['text']): string {
  if (text === null) return 'none; the code is the end of the number that calls';
  const { language, encoding, segments, characters } = text;
  return [
    language,
    ...(isSpoken(channel) ? ['spoken'] : []),
    ...(encoding === null ? [] : [encoding, count(segments ?? 0, 'segment')]),
    count(characters, 'character'),
  ].join(', ');
}

function describeLeg({ channel, after_ms, carriers }: RouteExplanation['legs'][number]): string {
  const when = after_ms === null ? '' : `, or is not delivered within ${formatDuration(after_ms)}`;
  return `  then ${channel} over ${carriers.join(', ')}, if that fails${when}`;
}

function describeSpeech(
  speech: RouteExplanation['carriers'][number]['speech'],
  language: string,
): string | null {
  switch (speech) {
    case 'as-written':
      return `speaks ${language}`;
    case 'in-english':
      return 'speaks English instead';
    case 'not-at-all':
      return `no voice for ${language}, so POST /verify is refused`;
    case null:
      return null;
  }
}

function describeBreakers(breakers: RouteExplanation['carriers'][number]['breakers']): string | null {
  if (breakers.length === 0) return null;
  const ailing = breakers.filter(({ state, trouble }) => state !== 'closed' || trouble !== null);
  if (ailing.length === 0) return 'closed';
  return ailing
    .map(
      ({ node, state, last_error }) => `${state} on ${node}${last_error === null ? '' : ` (${last_error})`}`,
    )
    .join(', ');
}

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`;
}
