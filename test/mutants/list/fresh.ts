/**
 * A fresh choice over guards, leases, limits, seals, receipts and access, ten each. The tests are the nearest ones; what they
 * miss is run again against the wider suites: the contract of the store, acceptance, portal, faults and nodes.
 */
import type { Mutant } from '../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];

const GUARDS: readonly Mutant[] = [
  {
    breaks: 'guards: a verification past its retention is unknown, even if it is not deleted yet',
    file: 'src/store/postgres/schema/functions/confirm.sql',
    from: `
    AND verification.created_at > guess.now - retention`,
    to: '',
    tests: POSTGRES,
    named: 'retention is over',
  },
  {
    breaks: 'guards: a late settlement of a lost lease takes nothing back from the carrier that delivered',
    file: 'src/store/sqlite/messages/settle.ts',
    from: `"state IN ('queued', 'submitted', 'failed')"`,
    to: `'true'`,
    tests: SQLITE,
    named: 'old fence|taken after all|receipt|lost|names the carrier',
  },
  {
    breaks: 'guards: the last owner of an account stays, whatever other accounts have owners',
    file: 'src/accounts/members.ts',
    from: `other.account_id = $1 AND other.role = 'owner'`,
    to: `other.role = 'owner'`,
    tests: ['test/portal/store/stores-accounts.test.ts', 'test/portal/members.test.ts'],
  },
  {
    breaks: 'guards: an account takes a number off its own list only',
    file: 'src/accounts/blocking/blocked-numbers.ts',
    from: 'WHERE id = $1 AND account_id = $2 RETURNING id',
    to: `WHERE id = $1 AND $2 <> '' RETURNING id`,
    tests: ['test/portal/do-not-send.test.ts', 'test/portal/routes.test.ts'],
  },
  {
    breaks: 'guards: when a clock is put right, what waits for a receipt is not sent again',
    file: 'src/store/postgres/schema/functions/heal.sql',
    from: 'WHERE due_at > latest + lease AND due_at < expires_at',
    to: 'WHERE due_at > latest + lease',
    tests: POSTGRES,
    named: 'what waits to be sent|dated correctly|others write',
  },
  {
    breaks: 'guards: who is a member already keeps their role when an invitation is accepted',
    file: 'src/accounts/members.ts',
    from: 'VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    to: 'VALUES ($1, $2, $3, $4) ON CONFLICT (account_id, person_id) DO UPDATE SET role = excluded.role',
    tests: ['test/portal/store/stores-accounts.test.ts', 'test/portal/members.test.ts'],
  },
  {
    breaks: 'guards: a code confirms only the secret that it was made with',
    file: 'src/portal/factors/totp-secret.ts',
    from: 'WHERE person_id = $1 AND sealed = $2 AND confirmed_at IS NULL\n      RETURNING',
    to: `WHERE person_id = $1 AND $2 <> '' AND confirmed_at IS NULL\n      RETURNING`,
    tests: ['test/portal/store/stores-signing-in.test.ts', 'test/portal/sign-in/second-factor.test.ts'],
  },
  {
    breaks: 'guards: the requests of a key that will expire are not forgotten before it has',
    file: 'src/store/sqlite/upkeep/purge.ts',
    from: 'OR expires_at <= :now LIMIT 1',
    to: 'OR expires_at IS NOT NULL LIMIT 1',
    tests: SQLITE,
    named: 'limits of a key remember|The purge|purge',
  },
  {
    breaks: 'guards: a number listed under the previous secret can be taken off',
    file: 'src/accounts/blocking/blocked-numbers.ts',
    from: 'WHERE hash IN ($1, $2) RETURNING id',
    to: 'WHERE hash = coalesce($1, $2) RETURNING id',
    tests: SQLITE,
    named: 'rotation|STOP|taken off',
  },
  {
    breaks: 'guards: a repetition leaves the Idempotency-Key with the request that holds it',
    file: 'src/store/postgres/schema/functions/issue.sql',
    from: 'AND verification_id = call.id AND NOT call.admitted',
    to: 'AND NOT call.admitted',
    tests: POSTGRES,
    named: 'repetition|mismatch|24 hours|idempotency key',
  },
];

const LEASES: readonly Mutant[] = [
  {
    breaks: 'leases: the answer about an old lease does not end the newer one',
    file: 'src/delivery/dispatcher.ts',
    from: '      if (hold.fence !== fence) continue;\n',
    to: '',
    tests: ['src/delivery/late-renewal.test.ts', 'src/delivery/lost-lease.test.ts'],
  },
  {
    breaks: 'leases: what a receipt put back before its settlement was answered is sent at once',
    file: 'src/delivery/hold.ts',
    from: ' || spentCarriers.length > this.spentCarriers.length',
    to: '',
    tests: ['src/delivery/hold.test.ts', 'src/delivery/lost-lease.test.ts'],
  },
  {
    breaks: 'leases: the next owner of the folder does not send again what waits for a receipt',
    file: 'src/store/sqlite/messages/queue.ts',
    from: `'UPDATE verification SET due_at = 0 WHERE due_at < expires_at'`,
    to: `'UPDATE verification SET due_at = 0 WHERE due_at <= expires_at'`,
    tests: ['src/store/sqlite/file/folder.test.ts'],
  },
  {
    breaks: 'leases: who lost a lease cannot renew it',
    file: 'src/store/postgres/messages/queue.ts',
    from: 'WHERE verification_id = held.id AND delivery.fence = held.fence',
    to: 'WHERE verification_id = held.id',
    tests: POSTGRES,
    named: 'renewed|taken over',
  },
  {
    breaks: 'leases: times told while the clock was ahead between two looks are put right',
    file: 'src/store/watch-clock.ts',
    from: 'isDue ||= latest - now >= STEP_MS;',
    to: 'isDue ||= step <= -STEP_MS;',
    tests: ['src/store/watch-clock.test.ts'],
  },
  {
    breaks: 'leases: a lease is renewed before it ends',
    file: 'src/delivery/dispatcher.ts',
    from: 'this.#options.lease / 3',
    to: 'this.#options.lease',
    tests: [
      'src/delivery/dispatcher.test.ts',
      'src/delivery/late-renewal.test.ts',
      'src/delivery/lost-lease.test.ts',
    ],
  },
  {
    breaks: 'leases: no claim begins while another is under way, so a slow store fills no memory',
    file: 'src/delivery/dispatcher.ts',
    from: 'if (this.#claiming || this.#stopping) return;',
    to: 'if (this.#stopping) return;',
    tests: ['src/delivery/dispatcher.test.ts', 'src/delivery/dispatcher-stop.test.ts'],
  },
  {
    breaks: 'leases: a renewal goes by the clock of the store',
    file: 'src/delivery/dispatcher.ts',
    from: 'queue.renew(leases, clock.now() + this.#options.lease)',
    to: 'queue.renew(leases, Date.now() + this.#options.lease)',
    tests: [
      'src/delivery/dispatcher.test.ts',
      'src/delivery/late-renewal.test.ts',
      'src/delivery/lost-lease.test.ts',
    ],
  },
  {
    breaks: 'leases: a stop does not wait for a store that is away',
    file: 'src/delivery/dispatcher.ts',
    from: '|| this.#stopping || this.#deps.clock.now() >= expiresAt',
    to: '|| this.#deps.clock.now() >= expiresAt',
    tests: ['src/delivery/dispatcher-stop.test.ts', 'src/delivery/dispatcher.test.ts'],
  },
  {
    breaks: 'leases: when a clock is put right, no lease ends sooner than its node believes',
    file: 'src/store/postgres/schema/functions/heal.sql',
    from: 'SET due_at = latest + lease WHERE due_at > latest + lease AND',
    to: 'SET due_at = now + lease WHERE due_at > now + lease AND',
    tests: POSTGRES,
    named: 'what waits to be sent|dated correctly|others write',
  },
];

const LIMITS: readonly Mutant[] = [
  {
    breaks: 'limits: what one limit of a key refuses is no request to the others',
    file: 'src/store/sqlite/verifications/request-rings.ts',
    from: 'const looked = limits.length > 1 ? limits : [];',
    to: 'const looked: readonly Limit[] = [];',
    tests: SQLITE,
    named: 'limits? of a key|naive model',
  },
  {
    breaks: 'limits: a refused send waits for the limit that frees a place last',
    file: 'src/store/postgres/schema/functions/take-sends.sql',
    from: 'ORDER BY freed_at DESC NULLS LAST',
    to: 'ORDER BY freed_at NULLS LAST',
    tests: POSTGRES,
    named: 'retryAfterMs|naive model',
  },
  {
    breaks: 'limits: those who sign in by passkey use up no guesses of their address',
    file: 'src/portal/sign-in/routes.ts',
    from: '        returnGuess(source),\n',
    to: '',
    tests: ['test/portal/sign-in/passkey.test.ts', 'test/portal/sign-in/throttle.test.ts'],
  },
  {
    breaks: 'limits: a carrier may put many receipts into one request',
    file: 'src/http/routes/carrier-receipts.ts',
    from: '      bodyLimit: MAX_BODY_BYTES,\n',
    to: '',
    tests: ['src/http/routes/carrier-receipts.test.ts'],
  },
  {
    breaks: 'limits: sends are remembered for the longest window',
    file: 'src/store/postgres/schema/functions/free-places.sql',
    from: 'SELECT max(span) FROM unnest(windows)',
    to: 'SELECT min(span) FROM unnest(windows)',
    tests: POSTGRES,
    named: 'naive model|window of a day|every window',
  },
  {
    breaks: 'limits: a refused guess is told the longest of the waits',
    file: 'src/portal/sign-in/throttle.ts',
    from: 'SELECT max(next_at) AS next_at',
    to: 'SELECT min(next_at) AS next_at',
    tests: ['test/portal/sign-in/throttle.test.ts', 'test/portal/sign-in/sign-in.test.ts'],
  },
  {
    breaks: 'limits: an overloaded service refuses looks at verifications too',
    file: 'src/http/server.ts',
    from: 'registerVerification(routes, deps.inquire, admitted);',
    to: 'registerVerification(routes, deps.inquire, authenticated);',
    tests: [
      'src/http/routes/verification.test.ts',
      'src/http/admission/overload.test.ts',
      'src/http/server.test.ts',
    ],
  },
  {
    breaks: 'limits: a stop gives back the places under the cap of a carrier',
    file: 'src/core/sending/daily-caps.ts',
    from: 'all: [...byRoute.values(), ...byCarrier.values()],',
    to: 'all: [...byRoute.values()],',
    tests: ['src/core/sending/daily-caps.test.ts'],
  },
  {
    breaks: 'limits: who waits for as long as Retry-After says is not refused again',
    file: 'src/http/limited.ts',
    from: 'Math.ceil(retryAfterMs / 1000)',
    to: 'Math.floor(retryAfterMs / 1000)',
    tests: ['src/http/server.test.ts', 'src/http/routes/verification.test.ts'],
  },
  {
    breaks: 'limits: the ranges of one account take no room of another',
    file: 'src/accounts/blocking/blocked-ranges.ts',
    from: '(SELECT count(*) FROM blocked_range WHERE account_id = $1) <',
    to: '(SELECT count(*) FROM blocked_range) <',
    tests: SQLITE,
    named: 'ranges come with the key',
  },
];

const SEALS: readonly Mutant[] = [
  {
    breaks: 'seals: an erasure leaves nothing of the sends of a test key, which no limit counts',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: 'WHERE ${OF_DESTINATION} AND NOT test AND created_at',
    to: 'WHERE ${OF_DESTINATION} AND created_at',
    tests: [...SQLITE, 'src/store/sqlite/file/erasure.test.ts'],
    named: 'eras|sends count',
  },
  {
    breaks: 'seals: an erasure also takes the messages of the simulator, with their codes',
    file: 'src/store/postgres/schema/functions/erase.sql',
    from: `  DELETE FROM inbox_message
  WHERE destination_hash = ANY (hashes) AND verification_id = ANY (wanted) AND verification_id BETWEEN lowest AND highest;
`,
    to: '',
    tests: POSTGRES,
    named: 'erase',
  },
  {
    breaks: 'seals: the sealed code is erased when a receipt says that it arrived',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: 'due_at = NULL, code_sealed = NULL\n',
    to: 'due_at = NULL\n',
    tests: ['src/store/sqlite/file/folder.test.ts'],
  },
  {
    breaks: 'seals: the code of a message of the simulator goes with the message',
    file: 'src/store/sqlite/upkeep/purge.ts',
    from: 'SET inbox_at = NULL, code_sealed = NULL WHERE',
    to: 'SET inbox_at = NULL WHERE',
    tests: ['src/store/sqlite/file/folder.test.ts'],
  },
  {
    breaks: 'seals: while a secret is rotated, a recipient is known under the one before',
    file: 'src/core/secrets/keyring.ts',
    from: 'return [current, ...earlier];',
    to: 'return [current];',
    tests: ['src/core/secrets/keyring.test.ts', 'src/core/secrets/before.test.ts'],
  },
  {
    breaks: 'seals: the path of an unknown address, which may hold a number, is in no log and no metric',
    file: 'src/http/report.ts',
    from: `request.routeOptions.url ?? 'unmatched'`,
    to: 'request.routeOptions.url ?? request.url',
    tests: ['src/http/server.test.ts'],
  },
  {
    breaks: 'seals: nobody else on the machine can read the key of the certificate',
    file: 'src/http/connection/tls.ts',
    from: 'await writeFile(files.key, made.key, { mode: 0o600 });',
    to: 'await writeFile(files.key, made.key);',
    tests: ['src/http/connection/tls.test.ts'],
  },
  {
    breaks: 'seals: a sensitive field is not logged in whatever case its name is written',
    file: 'src/telemetry/scrub.ts',
    from: 'SENSITIVE.has(name.toLowerCase())',
    to: 'SENSITIVE.has(name)',
    tests: ['src/telemetry/scrub.test.ts', 'src/telemetry/log.test.ts'],
  },
  {
    breaks: 'seals: no number that a carrier puts into its reason is shown to everyone',
    file: 'src/delivery/dispatcher.ts',
    from: 'funnel.erred(carrier, presentReason(reason), endedAt)',
    to: 'funnel.erred(carrier, reason, endedAt)',
    tests: [
      'src/delivery/dispatcher.test.ts',
      'src/delivery/health.test.ts',
      'src/delivery/reason.test.ts',
    ],
  },
  {
    breaks: 'seals: after an upgrade, sends count that the version before hashed',
    file: 'src/main.ts',
    from: 'await store.holdsOtherHashes(HASH_MARK, clock.now() - config.retention.verifications)',
    to: 'false',
    tests: ['test/store/version-before.test.ts'],
  },
];

const RECEIPTS: readonly Mutant[] = [
  {
    breaks: 'receipts: of several messages with one reference the newest is meant',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: 'ORDER BY ended_at DESC LIMIT 1',
    to: 'ORDER BY ended_at LIMIT 1',
    tests: SQLITE,
    named: 'receipt|reference|recipient|spelling|early|attempt|carrier',
  },
  {
    breaks: 'receipts: a signature counts only while its certificate is in force',
    file: 'src/carriers/aws/certificates.ts',
    from: 'return inForce ? certificate.publicKey : undefined;',
    to: 'return certificate.publicKey;',
    tests: ['test/carriers/aws/receipts.test.ts'],
  },
  {
    breaks: 'receipts: the address of one message proves nothing about another',
    file: 'src/carriers/infobip/receipt.ts',
    from: `id === undefined || textAt(body, 'results.0.messageId') !== id`,
    to: 'id === undefined',
    tests: ['test/carriers/infobip.test.ts'],
  },
  {
    breaks: 'receipts: one that comes two days late finds its message',
    file: 'src/store/postgres/messages/receipts.ts',
    from: 'const LOOK_BACK_MS = 72 * HOUR_MS;',
    to: 'const LOOK_BACK_MS = 24 * HOUR_MS;',
    tests: POSTGRES,
    named: 'receipt|reference|late|carrier',
  },
  {
    breaks: 'receipts: a digest in the address covers the body',
    file: 'src/carriers/twilio/receipt.ts',
    from: `  if (digest !== null && !areEqual(digest, createHash('sha256').update(callback.body).digest('hex')))
    return false;
`,
    to: '',
    tests: ['test/carriers/twilio.test.ts'],
  },
  {
    breaks: 'receipts: one with & or = in a value is genuine as well',
    file: 'src/carriers/vonage/signature.ts',
    from: `\${value.replaceAll(/[&=]/g, '_')}`,
    to: '${value}',
    tests: ['test/carriers/vonage.test.ts'],
  },
  {
    breaks: 'receipts: one dated in the future can be a replay for as long',
    file: 'src/carriers/gateway/signature.ts',
    from: 'Math.abs(now / 1_000 - Number(seconds)) <= toleranceS',
    to: 'now / 1_000 - Number(seconds) <= toleranceS',
    tests: ['test/carriers/telnyx.test.ts', 'test/carriers/sinch.test.ts'],
  },
  {
    breaks: 'receipts: a carrier is told that its receipts are kept only when all are',
    file: 'src/http/routes/carrier-receipts.ts',
    from: 'await Promise.all(answer.receipts.map(',
    to: 'await Promise.allSettled(answer.receipts.map(',
    tests: ['src/http/routes/carrier-receipts.test.ts'],
  },
  {
    breaks: 'receipts: of two that came early the first counts',
    file: 'src/store/postgres/schema/functions/queue.sql',
    from: 'ORDER BY taken.number, early_receipt.received_at',
    to: 'ORDER BY taken.number, early_receipt.received_at DESC',
    tests: POSTGRES,
    named: 'early|receipt',
  },
  {
    breaks: 'receipts: a third signature without its nonce is not saved by a second one',
    file: 'src/carriers/plivo/signature.ts',
    from: 'return nonce !== undefined && matches(third,',
    to: 'if (nonce !== undefined) return matches(third,',
    tests: ['test/carriers/plivo.test.ts'],
  },
];

const ACCESS: readonly Mutant[] = [
  {
    breaks: 'access: a look that began before a key was revoked is not remembered after it',
    file: 'src/http/admission/authenticator.ts',
    from: 'if (begun === generation && revision !== undefined)',
    to: 'if (revision !== undefined)',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
  {
    breaks: 'access: a new password ends the sign-ins that are half done, and links for a reset',
    file: 'src/portal/me/routes.ts',
    from: '        devices.step,\n        dropOneTimes(personId),\n',
    to: '        devices.step,\n',
    tests: ['test/portal/sign-in/second-factor.test.ts', 'test/portal/sign-in/sign-in.test.ts'],
  },
  {
    breaks: 'access: an address that the provider calls "false" is not verified',
    file: 'src/portal/oidc/provider.ts',
    from: `verified === true || verified === 'true' || verified === 1 || verified === '1'`,
    to: 'Boolean(verified)',
    tests: ['test/portal/oidc/forged.test.ts', 'test/portal/oidc/sign-in.test.ts'],
  },
  {
    breaks: 'access: what an outer proxy of ours got in clear is refused',
    file: 'src/http/proxy/proxy.ts',
    from: `(back === 1 || proto !== '')`,
    to: 'back === 1',
    tests: ['src/http/proxy/proxy.test.ts'],
  },
  {
    breaks: 'access: what a proxy on this machine passes on is not its own request for metrics',
    file: 'src/http/routes/operation.ts',
    from: `  'x-real-ip',\n`,
    to: '',
    tests: ['src/http/routes/operation.test.ts'],
  },
  {
    breaks: 'access: a page of another host of the same site changes nothing',
    file: 'src/portal/origin.ts',
    from: `site === 'same-origin'`,
    to: `site !== 'cross-site'`,
    tests: ['test/portal/sign-in/sign-in.test.ts', 'test/portal/routes.test.ts'],
  },
  {
    breaks: 'access: newcomers come from exactly the domains of the rule',
    file: 'src/portal/oidc/admission.ts',
    from: 'domains.includes(domain)',
    to: 'domains.some((each) => domain.endsWith(each))',
    tests: ['test/portal/oidc/sign-in.test.ts'],
  },
  {
    breaks: 'access: a proof does not make a session last longer than a week',
    file: 'src/portal/sign-in/session.ts',
    from: 'SET hash = $2, proven_at = $3, last_used_at = $3 WHERE id = $1',
    to: 'SET hash = $2, proven_at = $3, last_used_at = $3, created_at = $3 WHERE id = $1',
    tests: ['test/portal/sign-in/proof.test.ts', 'test/portal/sign-in/sign-in.test.ts'],
  },
  {
    breaks: 'access: no page sends a form to another site',
    file: 'src/portal/front-end/security-headers.ts',
    from: `  "form-action 'self'",\n`,
    to: '',
    tests: ['src/portal/front-end/front-end.test.ts', 'test/portal/sign-in/set-up.test.ts'],
  },
  {
    breaks: 'access: a key that is restricted only by countries is restricted',
    file: 'src/http/admission/authenticator.ts',
    from: 'const isRestricted = channels.length > 0 || countries.length > 0;',
    to: 'const isRestricted = channels.length > 0;',
    tests: ['src/http/admission/authenticator.test.ts', 'test/portal/keys.test.ts'],
  },
];

export const FRESH: readonly Mutant[] = [
  ...GUARDS,
  ...LEASES,
  ...LIMITS,
  ...SEALS,
  ...RECEIPTS,
  ...ACCESS,
];
