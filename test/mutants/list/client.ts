import type { Mutant } from '../mutant.ts';

const RETRIES = ['test/client/retries.test.ts'];
const WEBHOOK = ['test/client/webhook.test.ts'];
const BROWSER = ['test/browser/component.test.ts'];
const HANDLERS = ['test/client/handlers.test.ts'];

export const CLIENT: readonly Mutant[] = [
  {
    breaks: 'an application and a portal on one host do not overwrite each other’s cookie',
    file: 'client/src/cookie.ts',
    from: "const NAME = '__Host-countersign-verify';",
    to: "const NAME = '__Host-countersign';",
    tests: HANDLERS,
  },
  {
    breaks: 'a call of the client keeps its Idempotency-Key for all its tries',
    file: 'client/src/transport.ts',
    from: "'idempotency-key': idempotencyKey",
    to: "'idempotency-key': crypto.randomUUID()",
    tests: ['test/client/service.test.ts'],
  },
  {
    breaks: 'the client does not repeat what is for a person to wait for',
    file: 'client/src/transport.ts',
    from: 'status === 408 || status >= 500;',
    to: 'status === 408 || status === 429 || status >= 500;',
    tests: RETRIES,
  },
  {
    breaks: 'the client does not carry a number or a code to where a redirect leads',
    file: 'client/src/transport.ts',
    from: "redirect: 'manual',",
    to: '',
    tests: RETRIES,
  },
  {
    breaks: 'the caller’s signal ends the client’s pause between tries',
    file: 'client/src/transport.ts',
    from: "signal?.addEventListener('abort', end, { once: true });",
    to: '',
    tests: RETRIES,
  },
  {
    breaks: 'an id of a verification cannot lead the client elsewhere',
    file: 'client/src/client.ts',
    from: "if (/^\\.{0,2}$/.test(id)) return { kind: 'not-found' };",
    to: '',
    tests: RETRIES,
  },
  {
    breaks: 'a webhook that was recorded is no good later',
    file: 'client/src/webhook.ts',
    from: 'if (!(Math.abs(now / 1000 - seconds) <= tolerance))',
    to: 'if (Number.isNaN(seconds))',
    tests: WEBHOOK,
  },
  {
    breaks: 'a webhook without a right signature is refused',
    file: 'client/src/webhook.ts',
    from: 'if (!(await isSigned(signed, signatures, keys)))',
    to: 'await isSigned(signed, signatures, keys);\n  if (signatures === "")',
    tests: WEBHOOK,
  },
  {
    breaks: 'the handlers take no request from a page of another site',
    file: 'client/src/same-origin.ts',
    from: "site === 'same-origin';",
    to: 'true;',
    tests: HANDLERS,
  },
  {
    breaks: 'the handlers take no request that a form of another site can send',
    file: 'client/src/same-origin.ts',
    from: " || mediaType !== 'application/json'",
    to: '',
    tests: HANDLERS,
  },
  {
    breaks: 'the handlers’ cookie cannot be made up',
    file: 'client/src/cookie.ts',
    from: ', signature))) return undefined;',
    to: ', signature)) && id === undefined) return undefined;',
    tests: HANDLERS,
  },
  {
    breaks: 'the handlers’ cookie expires on the server too',
    file: 'client/src/cookie.ts',
    from: 'if (Number(end) * 1000 < Date.now()) return undefined;',
    to: '',
    tests: HANDLERS,
  },
  {
    breaks: 'the handlers’ cookie is good for its destination only',
    file: 'client/src/handlers.ts',
    from: "if (!(await own.isFor(result.destination))) return answer({ ok: false, reason: 'expired' });",
    to: '',
    tests: HANDLERS,
  },
  {
    breaks: 'the handlers read no large body into memory',
    file: 'client/src/same-origin.ts',
    from: 'if (bytes > MOST_BYTES) return undefined;',
    to: '',
    tests: HANDLERS,
  },
  {
    breaks: 'the element asks for no other code before its time',
    file: 'component/src/element.ts',
    from: 'if (this.#request !== undefined || this.#countdown.left > 0) return;',
    to: 'if (this.#request !== undefined) return;',
    tests: BROWSER,
  },
  {
    breaks: 'the element sends a wrong code only once by itself',
    file: 'component/src/element.ts',
    from: ' && read !== this.#lastCode)',
    to: ')',
    tests: BROWSER,
  },
  {
    breaks: 'the element stops to wait for an answer when the person goes elsewhere',
    file: 'component/src/element.ts',
    from: 'this.#request?.abort();',
    to: '',
    tests: BROWSER,
  },
  {
    breaks: 'the element stops to listen for the SMS when the person goes elsewhere',
    file: 'component/src/element.ts',
    from: 'this.#request = undefined;\n    this.#listener?.abort();',
    to: 'this.#request = undefined;',
    tests: BROWSER,
  },
  {
    breaks: 'the element does not have the seconds read out',
    file: 'component/src/element.ts',
    from: "if (left === 0 && this.#step === 'code')",
    to: "if (this.#step === 'code')",
    tests: BROWSER,
  },
  {
    breaks: 'the element drops the digit that is dialled only within a country',
    file: 'component/src/countries.ts',
    from: 'if (length === undefined) return digits.slice(prefix.length);',
    to: 'if (length === undefined) return digits;',
    tests: ['test/component/number.test.ts'],
  },
];
