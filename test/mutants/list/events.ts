import type { Mutant } from '../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];
const SENDER = ['src/events/sender.test.ts'];
const LEASES = ['src/events/leases.test.ts'];
const POST = ['src/events/post.test.ts'];

/** What is told of, to whom, how often, and where webhooks never go. */
export const EVENTS: readonly Mutant[] = [
  {
    breaks: 'an endpoint hears of the types that it wants',
    file: 'src/store/sqlite/events/event-book.ts',
    from: 'types === undefined || types.has(type)',
    to: 'types === undefined || types.size > 0',
    tests: SQLITE,
    named: 'events',
  },
  {
    breaks: 'PostgreSQL tells an endpoint of its own account only',
    file: 'src/store/postgres/schema/functions/events.sql',
    from: 'JOIN webhook ON webhook.account_id = verification.account_id AND disabled_at IS NULL',
    to: 'JOIN webhook ON disabled_at IS NULL',
    tests: POSTGRES,
    named: 'events',
  },
  {
    breaks: 'a code that was confirmed does not expire',
    file: 'src/store/sqlite/events/due.ts',
    from: 'AND confirmed_at IS NULL AND guesses_left > 0',
    to: 'AND guesses_left > 0',
    tests: SQLITE,
    named: 'due events',
  },
  {
    breaks: 'what another process changes about endpoints is noticed',
    file: 'src/store/sqlite/records.ts',
    from: 'if (revision !== known) events.forget();',
    to: '',
    tests: SQLITE,
    named: 'events',
  },
  {
    breaks: 'a webhook goes to no inner address',
    file: 'src/events/post.ts',
    from: 'found.filter(({ address }) => mayReach(address))',
    to: 'found.filter(() => true)',
    tests: POST,
  },
  {
    breaks: 'IPv4 addresses inside IPv6 addresses are judged as such',
    file: 'src/core/events/addresses.ts',
    from: '96 + bits',
    to: '128',
    tests: ['src/core/events/addresses.test.ts'],
  },
  {
    breaks: 'endpoints that hang leave room for the others',
    file: 'src/events/sender.ts',
    from: 'return line.underWay === 0 && this.#failingUnderWay <',
    to: 'return this.#failingUnderWay < 2 *',
    tests: SENDER,
  },
  {
    breaks: 'a node whose lease has ended sends nothing',
    file: 'src/events/leases.ts',
    from: 'AND (leased_by = $1 OR leased_until <= CAST($2 AS BIGINT)',
    to: 'AND (leased_until >= 0 OR leased_until <= CAST($2 AS BIGINT)',
    tests: LEASES,
  },
  {
    breaks: 'messages about one verification go one after another',
    file: 'src/events/line.ts',
    from: 'id === null || !this.#busy.has(id)',
    to: 'id === null || id !== undefined',
    tests: ['src/events/line.test.ts'],
  },
  {
    breaks: 'the fence of an endpoint rises with a new holder',
    file: 'src/events/leases.ts',
    from: 'THEN fence ELSE fence + 1 END',
    to: 'THEN fence ELSE fence END',
    tests: LEASES,
  },
  {
    breaks: 'who has an endpoint again forgets what it knew of it',
    file: 'src/events/sender.ts',
    from: 'if (this.#served.get(endpoint.id)?.endpoint.fence !== endpoint.fence) this.#drop(endpoint.id);',
    to: '',
    tests: LEASES,
  },
  {
    breaks: 'nothing goes to endpoints whose lease has run out',
    file: 'src/events/sender.ts',
    from: 'if (this.#stopping || !this.#isOurs()) return;',
    to: 'if (this.#stopping) return;',
    tests: LEASES,
  },
  {
    breaks: 'sealing again does not bring back a secret that was rotated meanwhile',
    file: 'src/accounts/webhooks/secrets.ts',
    from: 'column} = $2',
    to: 'column} || $2 IS NOT NULL',
    tests: SQLITE,
    named: 'endpoints of webhooks',
  },
  {
    breaks: 'who lost an endpoint settles no failure of it, whatever other endpoints are leased under',
    file: 'src/events/outcomes.ts',
    from: 'webhook WHERE id = $1 AND fence = $6',
    to: 'webhook WHERE fence = $6',
    tests: LEASES,
  },
  {
    breaks: 'an endpoint that fails makes no other one failing',
    file: 'src/events/outcomes.ts',
    from: 'last_failure = $3\n  WHERE id = $1`',
    to: 'last_failure = $3\n  WHERE $1 = $1`',
    tests: SENDER,
  },
  {
    breaks: 'an endpoint that takes what it is sent ends the failing of no other one',
    file: 'src/events/outcomes.ts',
    from: 'last_success_at = $2\n  WHERE id = $1 AND',
    to: 'last_success_at = $2\n  WHERE $1 = $1 AND',
    tests: SENDER,
  },
  {
    breaks: 'nothing in memory goes to an endpoint that somebody disabled',
    file: 'src/events/leases.ts',
    from: 'WHERE disabled_at IS NULL\n    AND (leased',
    to: 'WHERE (leased',
    tests: SENDER,
  },
  {
    breaks: 'the address of an endpoint holds no password, with or without a user',
    file: 'src/core/events/endpoint-url.ts',
    from: "url.username !== '' || url.password !== ''",
    to: "url.username !== ''",
    tests: ['src/core/events/endpoint-url.test.ts'],
  },
  {
    breaks: 'nothing is sent unsigned',
    file: 'src/events/sender.ts',
    from: 'endpoint.secrets.length === 0 || clock.steady() < quietUntil',
    to: 'clock.steady() < quietUntil',
    tests: SENDER,
  },
];
