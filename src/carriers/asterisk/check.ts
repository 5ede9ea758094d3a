import type { Carrier } from '../../core/sending/carrier.ts';
import { eventText } from './event.ts';
import type { AsteriskOptions } from './options.ts';
import { loadPrompts } from './prompts.ts';
import type { Rest } from './rest.ts';
import type { Speech } from './speech.ts';

type Finding = Awaited<ReturnType<Carrier['check']>>;

/** Checks that Asterisk answers, accepts us and has the trunk, and what it can say. Makes no call. */
export async function checkAsterisk(
  { trunk, sipTrunk, englishFallback }: AsteriskOptions,
  rest: Rest,
  speech: Speech | undefined,
): Promise<Finding> {
  const seen: string[] = [];
  for (const endpoint of sipTrunk === undefined ? [trunk] : [trunk, sipTrunk]) {
    const { ok, detail } = await checkEndpoint(endpoint, rest);
    if (!ok) return { ok, detail };
    seen.push(detail);
  }
  // An endpoint for SIP URIs has no address of its own, and is always offline.
  if (seen[0]?.endsWith('offline')) return { ok: false, detail: seen[0] };
  const channels = await rest('GET', '/channels');
  if (channels.kind === 'answered' && channels.status === 404) {
    return {
      ok: false,
      detail: 'Asterisk has not loaded res_ari_channels or a module that it needs (modules.conf)',
    };
  }
  const languages = [...((await loadPrompts(rest)) ?? [])].flatMap(([language, symbols]) =>
    [...'0123456789'].every((digit) => symbols.has(digit)) ? [language] : [],
  );
  // en_US_f_Allison is one of the voices of en.
  const names = [...new Set(languages.map((language) => language.replace(/_.*/, '')))].sort();
  seen.push(names.length > 0 ? `digits recorded in ${names.join(', ')}` : 'no digits recorded');
  const others = englishFallback ? 'made in English' : 'left to other carriers';
  if (speech !== undefined) {
    const spoken = await speech.spell('en', '0');
    if (!spoken.ok) return { ok: false, detail: `speech: ${spoken.reason}` };
    seen.push(`the speech command works; calls in languages that it cannot speak are ${others}`);
  } else if (names.length === 0) {
    return { ok: false, detail: `${seen.join('; ')}: install Asterisk's sounds, or set speech` };
  } else {
    seen.push(`calls in other languages are ${others}`);
  }
  return { ok: true, detail: seen.join('; ') };
}

async function checkEndpoint(endpoint: string, rest: Rest): Promise<Finding> {
  const reply = await rest('GET', `/endpoints/PJSIP/${endpoint}`);
  if (reply.kind === 'failed') return { ok: false, detail: `ARI cannot be reached: ${reply.reason}` };
  if (reply.status === 401) return { ok: false, detail: 'ARI refuses the user or the password (ari.conf)' };
  if (reply.status === 404)
    return { ok: false, detail: `Asterisk has no PJSIP endpoint ${endpoint} (pjsip.conf)` };
  if (reply.status !== 200) return { ok: false, detail: `ARI answers ${reply.status}` };
  const state = eventText(reply.body, 'state') ?? 'unknown';
  return { ok: true, detail: `trunk ${endpoint} is ${state}` };
}
