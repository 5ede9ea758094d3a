/** The languages of the samples. Those who read choose one for the whole page, without a script. */
import { block, escapeHtml } from '../html.ts';
import { curl } from './curl.ts';
import { python } from './python.ts';
import type { SampleRequest } from './request.ts';
import { typeScript } from './typescript.ts';

const LANGUAGES = {
  curl: { label: 'curl', write: curl },
  typescript: { label: 'TypeScript', write: typeScript },
  python: { label: 'Python', write: python },
} as const;

const ENTRIES = Object.entries(LANGUAGES);

export const LANGUAGE_CHOICE = `<div class="languages" role="radiogroup" aria-label="Language of the examples">${ENTRIES.map(
  ([name, { label }], index) =>
    `<label><input type="radio" name="language" id="in-${name}"${index === 0 ? ' checked' : ''}><span>${label}</span></label>`,
).join('')}</div>`;

export function renderSamples(title: string, request: SampleRequest): string {
  return ENTRIES.map(
    ([name, { label, write }]) =>
      `<figure class="sample in-${name}"><figcaption>${escapeHtml(title)} <span>${label}</span></figcaption>${block(write(request))}</figure>`,
  ).join('\n');
}
