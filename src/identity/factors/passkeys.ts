/**
 * Passkeys (WebAuthn Level 3). A challenge is sealed instead of stored, because anyone may ask for one. It contains its
 * purpose and expiry, and only a correct answer is recorded.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { hashToken, mintToken } from '../../accounts/token.ts';
import { isInTime } from '../../core/accounts/lasting.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import { markUsed } from '../sign-in/one-time.ts';

const CHALLENGE_MS = 300_000;
const NAME = 'Countersign';
const MAX_PASSKEYS = 20;
/** EdDSA, ES256 and RS256 (COSE): every authenticator knows at least one of them. */
const ALGORITHMS = [-8, -7, -257];
type Purpose = 'passkey sign-in' | 'passkey registration';

/** Loaded for the first passkey: at the start it would cost a tenth of a second. */
const webauthn = () => import('@simplewebauthn/server');

interface PasskeyDeps {
  readonly records: Records;
  readonly keyring: Keyring;
}

/** The page that a passkey is bound to: `https://host:port`. */
export interface Site {
  readonly origin: string;
}

const hostOf = ({ origin }: Site): string => new URL(origin).hostname;

export async function signInOptions(
  deps: PasskeyDeps,
  site: Site,
  now: number,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge: mintChallenge(deps, 'passkey sign-in', now),
    userVerification: 'required',
    timeout: CHALLENGE_MS,
  });
}

export async function registrationOptions(
  deps: PasskeyDeps,
  site: Site,
  person: { readonly id: string; readonly email: string; readonly name: string },
  now: number,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  const known = await query(
    deps.records,
    'SELECT id, transports FROM passkey WHERE person_id = $1',
    person.id,
  );
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: hostOf(site),
    userName: person.email,
    userDisplayName: person.name,
    userID: Uint8Array.from(Buffer.from(person.id)),
    challenge: mintChallenge(deps, 'passkey registration', now, person.id),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map((row) => ({
      id: String(row.id),
      transports: readTransports(row.transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: CHALLENGE_MS,
  });
}

export interface AddedPasskey {
  readonly id: string;
  /** Refused if the challenge was used, the passkey is known, or the person has too many. */
  readonly steps: readonly Step[];
}

/** Checks an authenticator's answer; undefined if it is not valid. */
export async function readRegistration(
  keyring: Keyring,
  site: Site,
  {
    personId,
    name,
    response,
  }: { readonly personId: string; readonly name: string; readonly response: RegistrationResponseJSON },
  now: number,
): Promise<AddedPasskey | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const challenge = new ExpectedChallenge(keyring, 'passkey registration', now, personId);
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge.matches,
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site),
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
    // The library throws for an invalid answer, and for nothing else.
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return {
    id,
    steps: [
      challenge.use(),
      {
        sql: `INSERT INTO passkey (id, person_id, name, public_key, counter, transports, created_at, last_used_at)
          SELECT $1, $2, $3, $4, CAST($5 AS BIGINT), $6, CAST($7 AS BIGINT), NULL
          WHERE (SELECT count(*) FROM passkey WHERE person_id = $2) < ${MAX_PASSKEYS}
          ON CONFLICT (id) DO NOTHING RETURNING id`,
        args: [
          id,
          personId,
          name,
          Buffer.from(publicKey).toString('base64url'),
          counter,
          JSON.stringify(transports),
          now,
        ],
        guard: true,
      },
    ],
  };
}

/** Whose passkey it is; undefined if it is unknown or the answer is not valid. */
export async function readSignIn(
  { records, keyring }: PasskeyDeps,
  site: Site,
  response: AuthenticationResponseJSON,
  now: number,
): Promise<{ readonly personId: string; readonly steps: readonly Step[] } | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  const sql = 'SELECT person_id, public_key, counter, transports FROM passkey WHERE id = $1';
  const [row] = await query(records, sql, response.id);
  if (row === undefined) return undefined;
  const challenge = new ExpectedChallenge(keyring, 'passkey sign-in', now);
  const counter = Number(row.counter);
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.matches,
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site),
    credential: {
      id: response.id,
      publicKey: Uint8Array.from(Buffer.from(String(row.public_key), 'base64url')),
      counter,
      transports: readTransports(row.transports),
    },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  return {
    personId: String(row.person_id),
    steps: [
      challenge.use(),
      {
        // If the counter has moved in the meantime, the passkey was copied or answered twice (WebAuthn, section 6.1.1).
        sql: 'UPDATE passkey SET counter = $2, last_used_at = $4 WHERE id = $1 AND counter = $3 RETURNING id',
        args: [response.id, verified.authenticationInfo.newCounter, counter, now],
        guard: true,
      },
    ],
  };
}

/** Refused if the person has no such passkey. */
export function dropPasskey(personId: string, id: string): Step {
  return {
    sql: 'DELETE FROM passkey WHERE person_id = $1 AND id = $2 RETURNING name',
    args: [personId, id],
    guard: true,
  };
}

function mintChallenge(
  { records, keyring }: PasskeyDeps,
  purpose: Purpose,
  now: number,
  personId = '',
): string {
  const text = `${now + CHALLENGE_MS} ${mintToken(records.random)}`;
  return keyring.seal(text, `${purpose} ${personId}`);
}

/** Recognises our own challenge in an answer. */
class ExpectedChallenge {
  readonly #keyring: Keyring;
  readonly #context: string;
  readonly #now: number;
  #seen: { readonly hash: string; readonly expiresAt: number } | undefined;

  constructor(keyring: Keyring, purpose: Purpose, now: number, personId = '') {
    this.#keyring = keyring;
    this.#context = `${purpose} ${personId}`;
    this.#now = now;
  }

  matches = (challenge: string): boolean => {
    const sealed = Buffer.from(challenge, 'base64url').toString();
    const [expiresAt, random = ''] = this.#keyring.open(sealed, this.#context).split(' ');
    if (!isInTime(Number(expiresAt), CHALLENGE_MS, this.#now)) return false;
    this.#seen = { hash: hashToken(random), expiresAt: Number(expiresAt) };
    return true;
  };

  /** Refused if it was used before. */
  use(): Step {
    if (this.#seen === undefined) throw new Error('a challenge was used before it was seen');
    return markUsed('passkey', this.#seen.hash, this.#seen.expiresAt);
  }
}

function readTransports(text: unknown): string[] {
  return JSON.parse(String(text));
}
