import type { Channel, Command } from '../command.ts';
import { ceilingOf } from '../model/counting.ts';
import { NAMES_MESSAGES } from '../model/hooks.ts';
import { type Counted, liveNow, type Once, places, type State, type Verification } from '../model/state.ts';
import { DAY, HOOK_REPEAT, HOUR, ONCE, POOL, rateOf } from '../model/table.ts';
import { SAID_WITHIN } from '../model/verdicts.ts';

type Kind = 'code' | 'sends' | 'guesses' | 'requests' | 'period' | 'key' | 'repeat' | 'retention';
/** When something ends, and what shows on which side of that moment one is. */
export interface Edge {
  readonly kind: Kind;
  readonly at: number;
  readonly ask?: Command | undefined;
}

/** The number of the command whose answer brought it. */
const madeOf = (s: State, v: Verification) => [...s.made].find(([, it]) => it === v)?.[0];

/** The same request again, under the same Idempotency-Key or, over a hook, as its system repeats it. */
export function repeatOf(s: State, [place, first]: readonly [string, Once]): Command | undefined {
  const [what, , , once = ''] = place.split(' ');
  const { key } = first.verification;
  if (what === 'confirm') {
    const id = madeOf(s, first.verification);
    return id === undefined ? undefined : { do: 'confirm', key, id, code: first.body, once };
  }
  const body: [string, Channel, string | null, number | null] = JSON.parse(first.body);
  const [to, channel, code, length] = body;
  if (what === 'hook') {
    // there the place has the system's name, and then what it calls its message
    const [system, name] = [once, place.split(' ')[4]];
    const named = NAMES_MESSAGES.includes(system) && name !== undefined ? { once: name } : {};
    return { do: 'hook', system, to, code: code ?? '', ...named };
  }
  const asked = { key, to, once, ...(code === null ? {} : { code }) };
  if (first.answer === 'twilio')
    return { do: 'twilio-send', ...asked, channel: channel === 'voice' ? 'call' : channel };
  return { do: 'verify', ...asked, channel, ...(length === null ? {} : { length }) };
}

/** All moments in which something ends that the model knows of. */
export function edges(s: State): readonly Edge[] {
  const { code, retention, limits } = s.fixed;
  const found: Edge[] = [{ kind: 'period', at: (Math.floor(s.now / HOUR) + 1) * HOUR }];
  const add = (kind: Kind, at: number, ask?: Command) => found.push({ kind, at, ask });
  for (const [id, v] of s.made) {
    if (v.only !== undefined) continue; // no key finds it
    const { key, asked, to } = v;
    add('retention', asked.until + retention.verifications, { do: 'look', key, id });
    if (retention.verifications > SAID_WITHIN)
      add('retention', asked.until + SAID_WITHIN, { do: 'feedback', key, id, verdict: 'fraud' });
    if (v.confirmed !== undefined || v.code === undefined) continue;
    const guess = { do: 'confirm', key, id, code: v.code } as const;
    add('code', asked.until + code.validFor, guess);
    add('code', asked.until + code.validFor, { do: 'twilio-check', key, of: to, code: v.code });
    for (const at of frees(s, v, 'wrong')) add('guesses', at, guess);
  }
  const ofKeys = s.verifications.filter((it) => it.only === undefined);
  for (const v of new Map(ofKeys.map((it) => [places(it), it])).values())
    for (const at of frees(s, v, 'sends'))
      add('sends', at, { do: 'verify', key: v.key, to: v.to, channel: 'sms' });
  for (const [key, events] of s.requests) {
    const id = [...s.made].findLast(([, v]) => v.key === key)?.[0];
    for (const at of limits.requestsPerKey.flatMap((rate) => endOf(events, rate)))
      add('requests', at, id === undefined ? undefined : { do: 'look', key, id });
  }
  for (const [key, changes] of s.keys) {
    const ends = changes.at(-1)?.value?.ends;
    if (ends !== undefined) add('key', ends.until, { do: 'verify', key, to: POOL[0] ?? '', channel: 'sms' });
  }
  for (const [account, changes] of s.endpoints) {
    const before = changes.at(-1)?.value.before;
    if (before !== undefined) add('period', before.until + DAY, { do: 'test-webhook', account });
  }
  for (const each of s.once) {
    const [place, { until }] = each;
    add('repeat', until + (place.startsWith('hook') ? HOOK_REPEAT : ONCE), repeatOf(s, each));
  }
  return found;
}

/** When the limits of a number, its ceiling and those that its account set, let one more through. */
function frees(s: State, v: Verification, what: 'sends' | 'wrong'): readonly number[] {
  const own = s.settings.get(v.account)?.at(-1)?.value[what] ?? [];
  const counted = (what === 'sends' ? s.sends : s.guesses).get(places(v)) ?? [];
  const rates = [...ceilingOf(s, liveNow(s), v.account, what), ...own];
  return v.test ? [] : rates.flatMap((rate) => endOf(counted, rate));
}

/** When the oldest of as many as a rate allows leaves its window. */
function endOf(events: readonly Counted[], rate: string): readonly number[] {
  const { most, window } = rateOf(rate);
  const oldest = events.at(-most);
  return oldest === undefined ? [] : [oldest.until + window];
}
