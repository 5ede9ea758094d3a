/** Where a request's message goes and what bounds it, or why none can go there. Nothing is written yet. */
import { messagesOf } from '../accounts/account-settings.ts';
import { isInRanges } from '../blocking/range.ts';
import { DO_NOT_SEND } from '../blocking/refusal.ts';
import type { OptionsInOrder } from '../body/options.ts';
import type { AccountBudget } from '../budgets/budget.ts';
import type { Applying, FindBudgets } from '../budgets/budgets.ts';
import { isSpoken } from '../destination/channel.ts';
import { type Destination, parseDestination } from '../destination/destination.ts';
import type { Screens } from '../destination/never-sent.ts';
import type { FieldErrorCode } from '../errors/field-error.ts';
import { chooseLocale, type MessageOptions } from '../message/message.ts';
import type { DailyCap } from '../sending/daily-cap.ts';
import type { Route, RouteFinder } from '../sending/routing.ts';
import type { Limit } from './limits.ts';
import { MAGIC_DESTINATIONS } from './magic.ts';
import type { Caller, RequestAnswer, VerificationRequest } from './request.ts';

export interface ResolverDeps {
  /** What is never sent to. */
  readonly screens: Screens;
  /** The countries that live keys may send to; all if there are none. */
  readonly countries: readonly string[];
  readonly findRoute: RouteFinder;
  /** Whether any carrier of a route of calls would speak the language of a BCP 47 tag, or English instead. */
  readonly canSpeak: (route: Route, locale: string) => boolean;
  readonly capOf: (route: Route) => DailyCap | undefined;
  readonly findBudgets: FindBudgets;
  readonly messages: MessageOptions;
  /** What a magic destination that plays a reached limit is answered with. */
  readonly shownLimit: Limit;
}

export interface Resolved {
  readonly destination: Destination;
  /** Undefined: the message does not leave the machine. */
  readonly route: Route | undefined;
  readonly cap: DailyCap | undefined;
  readonly applying: Applying | undefined;
}

const NO_BUDGETS: readonly AccountBudget[] = [];

/** The destination, the cap of its route and the budgets, or why no message can go there. */
export function resolve(
  deps: ResolverDeps,
  caller: Caller,
  { destination: input, channel }: VerificationRequest,
  options: OptionsInOrder,
): Resolved | { refusal: RequestAnswer } {
  const { test, restrictions, settings, blockedRanges } = caller;
  if (restrictions !== undefined && !allows(restrictions.channels, channel)) {
    const detail = `This API key may not use the channel ${channel}.`;
    return refuse('channel', 'channel_not_allowed', detail);
  }
  const { screens, countries } = deps;
  const parsed = parseDestination(input, channel, test ? screens.test : screens.live);
  if (!parsed.ok) return refuse('destination', parsed.code, parsed.detail);
  const { destination } = parsed;
  if (restrictions !== undefined && !allows(restrictions.countries, destination.country)) {
    const detail = 'This API key may not send to the country of this destination.';
    return refuse('destination', 'country_not_allowed', detail);
  }
  if (test) {
    const magic = MAGIC_DESTINATIONS.get(destination.address);
    if (magic === 'unroutable') {
      return refuse('destination', 'no_route', 'No route serves this destination.');
    }
    if (magic === 'rate-limited') {
      const limit = deps.shownLimit;
      return {
        refusal: { kind: 'limited', scope: 'destination', limit, retryAfterMs: limit.windowMs },
      };
    }
    return { destination, route: undefined, cap: undefined, applying: undefined };
  }
  if (!allows(countries, destination.country)) {
    const detail = 'This service does not send to the country of this destination.';
    return refuse('destination', 'country_not_allowed', detail);
  }
  if (settings !== undefined && !allows(settings.countries, destination.country)) {
    const detail = 'This account does not send to the country of this destination.';
    return refuse('destination', 'country_not_allowed', detail);
  }
  if (blockedRanges !== undefined && isInRanges(blockedRanges, destination.address))
    return { refusal: DO_NOT_SEND };
  const { findRoute, canSpeak, capOf, findBudgets } = deps;
  const found = findRoute(channel, destination);
  if (!found.ok) return refuse(found.field, found.code, found.detail);
  if (isSpoken(channel)) {
    const messages = messagesOf(deps.messages, settings);
    const locale = chooseLocale(messages, destination.country, channel, options);
    if (!canSpeak(found.route, locale)) {
      const detail = 'This service has no voice for calls in the language of this destination.';
      return refuse('destination', 'no_voice', detail);
    }
  }
  const own = settings?.budgets ?? NO_BUDGETS;
  const applying = findBudgets({ ...caller, destination, route: found.route, own });
  if (applying === 'no-price') {
    const detail = 'A budget applies, and the price of a message to this destination is not known.';
    return refuse('destination', 'no_price', detail);
  }
  return { destination, route: found.route, cap: capOf(found.route), applying };
}

function refuse(field: 'destination' | 'channel', code: FieldErrorCode, detail: string) {
  return { refusal: { kind: 'invalid', field, code, detail } } as const;
}

/** An empty list sets no bound. */
function allows<T>(allowed: readonly T[], one: T): boolean {
  return allowed.length === 0 || allowed.includes(one);
}
