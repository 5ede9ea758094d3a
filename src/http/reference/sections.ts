/** What a reader needs besides the operations: how to begin, and what holds for all of them. */
import { FIELD_ERROR_CODES } from '../../core/errors/field-error.ts';
import { MAGIC_DESTINATIONS, type MagicOutcome } from '../../core/verification/magic.ts';
import { problemExample } from '../openapi.ts';
import { PROBLEM_NAMES, PROBLEM_TYPE, PROBLEMS, problemPath } from '../problem.ts';
import { block, code, definitions, inline, json, link, list, pair } from './html.ts';
import type { OperationEntry } from './operation.ts';
import { curl } from './samples/curl.ts';
import { ADDRESS, SAMPLE_KEY } from './samples/request.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

const paragraphs = (...texts: readonly string[]): string =>
  texts.map((text) => `<p>${inline(text)}</p>`).join('\n');

/** How the three steps are told; each is an operation of the document. */
const STEPS: Readonly<Record<string, string>> = {
  verify: 'Ask for a code',
  'simulator-messages': 'Read it, as the user would',
  confirm: 'Confirm it, with the id and the code of your own',
};

export function quickStart(entries: readonly OperationEntry[]): Section {
  const steps = Object.entries(STEPS).flatMap(([wanted, told]) =>
    entries.filter(({ anchor }) => anchor === wanted).map((entry) => ({ ...entry, told })),
  );
  // A block of its own for each step: in an interactive zsh, a comment that is pasted with a command is no comment.
  const shell = (caption: string, text: string) =>
    `<figure><figcaption>${caption} <span>shell</span></figcaption>${block(text)}</figure>`;
  const commands = steps.map(({ told, request }, index) => shell(`${index + 1}. ${told}`, curl(request)));
  return {
    id: 'quick-start',
    title: 'Quick start',
    html: pair(
      `${paragraphs(
        'Three requests verify a telephone. With a test key they cost nothing and reach nobody: the code goes to a simulated telephone, whose messages you can read.',
      )}
<ol>${steps.map(({ told, name, anchor }) => `<li>${told}: ${link(`#${anchor}`, code(name))}</li>`).join('')}</ol>
${paragraphs(
  `Every example on this page takes the address from \`${ADDRESS}\` (that of this page, without \`/docs\`) and the key from \`${SAMPLE_KEY}\` (a test key, from the portal or from whoever runs the service), and runs as it stands. Only \`id\` and \`code\` are yours to fill in.`,
  'If the service uses the certificate that it made itself, your programs must trust a copy of `tls-cert.pem` from its data folder: name the file in `CURL_CA_BUNDLE` for curl, in `NODE_EXTRA_CA_CERTS` for Node, and in `SSL_CERT_FILE` for Python.',
)}`,
      [
        shell('Address and key', `export ${ADDRESS}=...\nexport ${SAMPLE_KEY}=csk_test_...`),
        ...commands,
      ].join('\n'),
    ),
  };
}

const OUTCOMES: Readonly<Record<MagicOutcome, string>> = {
  delivered: 'Delivered, like any other number.',
  undelivered: 'The carrier takes the message, and then reports that it did not arrive.',
  refused: 'The carrier refuses the message.',
  slow: 'Delivered after five seconds.',
  unroutable: 'Answered with `400`, code `no_route`.',
  'rate-limited': 'Answered with `429`, problem `quota-exceeded`.',
};

const AUTHENTICATION: Section = {
  id: 'authentication',
  title: 'Authentication',
  html: pair(
    paragraphs(
      'Send an API key with each request: `Authorization: Bearer <API_KEY>`. Send bodies as JSON, with `Content-Type: application/json`, and only over HTTPS.',
      'A key that starts with `csk_live_` sends over real carriers; one that starts with `csk_test_` sends only to the simulator. Keep keys on your server. Whoever has a key can send messages at your cost.',
    ),
    `<figure><figcaption>Headers</figcaption>${block('Authorization: Bearer csk_test_...\nContent-Type: application/json')}</figure>`,
  ),
};

const TEST_DESTINATIONS: Section = {
  id: 'test-destinations',
  title: 'Test destinations',
  html: `${paragraphs('With a test key, each of these numbers has an outcome of its own. The limits of destinations do not apply to test keys.')}
${definitions([...MAGIC_DESTINATIONS].map(([number, outcome]) => [code(number), inline(OUTCOMES[outcome])]))}`,
};

const IDEMPOTENCY: Section = {
  id: 'idempotency',
  title: 'Idempotency',
  html: pair(
    `${paragraphs('A request that got no answer may have been carried out. Send an `Idempotency-Key` of your own with `POST /verify` and `POST /confirm`, one for each new request, and repeat the request with the same key:')}
${list(
  [
    'The same body within 24 hours gets the same answer. No second code is sent, no second guess is spent, and no limit is used.',
    'Another body gets `422`, problem `idempotency-key-reused`.',
    'While the first request is still under way, a repetition gets `409`, problem `idempotency-in-progress`.',
  ].map(inline),
)}`,
    `<figure><figcaption>Header</figcaption>${block('Idempotency-Key: signup-4711-first-code')}</figure>`,
  ),
};

const LIMITS: Section = {
  id: 'limits',
  title: 'Limits',
  html: pair(
    `${paragraphs('Whoever runs the service sets how many codes a destination may get, how many wrong codes a verification and a destination may see, how many requests a key may make, and how long a code is valid.')}
${paragraphs('Over a limit the answer is `429`. Its headers say which limit it was, how many are allowed in how many seconds, and when to try again.')}`,
    `<figure><figcaption>Headers of a 429</figcaption>${block('Retry-After: 417\nRateLimit-Policy: "destination-10m";q=5;w=600\nRateLimit: "destination-10m";r=0;t=417')}</figure>`,
  ),
};

const RECEIPTS: Section = {
  id: 'receipts',
  title: 'Receipts',
  html: paragraphs(
    'Carriers report what became of messages to `/carriers/NAME/receipts`, each in its own format and with its own signature. Your app does not call it: what they reported is in the answer of `GET /verifications/{id}`.',
  ),
};

const PROBLEM_LIST: Section = {
  id: 'problems',
  title: 'Problems',
  html: `${pair(
    paragraphs(
      `Every error is answered as \`${PROBLEM_TYPE}\` (RFC 9457). Its \`type\` ends in one of these names, \`detail\` says what is wrong this time, and \`instance\` is the id of the request, as in the log of the service.`,
      'After a `503`, try again. Nothing was done, except after `outcome-unknown`: there, repeat with the same `Idempotency-Key`.',
    ),
    `<figure><figcaption>Problem <span>403</span></figcaption>${json(problemExample('code-mismatch'))}</figure>`,
  )}
${definitions(
  PROBLEM_NAMES.map((name) => [
    `${link(problemPath(name), code(name))} <span class="type">${PROBLEMS[name].status}</span>`,
    inline(PROBLEMS[name].doc),
  ]),
)}`,
};

const CODES: Section = {
  id: 'codes',
  title: 'Codes of invalid fields',
  html: `${pair(
    paragraphs(
      'With `invalid-request`, each entry of `errors` names a field and has one of these as its `code`. More may be added.',
    ),
    `<figure><figcaption>Problem <span>400</span></figcaption>${json(problemExample('invalid-request'))}</figure>`,
  )}
${definitions(Object.entries(FIELD_ERROR_CODES).map(([name, doc]) => [code(name), inline(doc)]))}`,
};

export const RULES: readonly Section[] = [
  AUTHENTICATION,
  TEST_DESTINATIONS,
  IDEMPOTENCY,
  LIMITS,
  RECEIPTS,
  PROBLEM_LIST,
  CODES,
];
