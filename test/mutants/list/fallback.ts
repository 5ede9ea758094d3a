import type { Mutant } from '../mutant.ts';

const SQLITE = { tests: ['test/store/sqlite.test.ts'], named: 'fallback' };
const POSTGRES = { tests: ['test/store/postgres/contract.test.ts'], named: 'fallback' };
const SERVICE = { tests: ['test/routing/fallback.test.ts'] };
const ROUND = { tests: ['src/delivery/round-legs.test.ts'] };

export const FALLBACK: readonly Mutant[] = [
  {
    breaks: 'a message whose time has come goes by the next channel (SQLite)',
    file: 'src/store/sqlite/messages/queue.ts',
    from: `leg = leg + (\${hadItsTime})`,
    to: 'leg = leg + 0',
    ...SQLITE,
  },
  {
    breaks: 'a message that has arrived does not go on (SQLite)',
    file: 'src/store/sqlite/messages/queue.ts',
    from: `WHERE fallback_at <= :now AND \${hadItsTime} AND due_at IS NOT NULL`,
    to: 'WHERE fallback_at <= :now',
    ...SQLITE,
  },
  {
    breaks: 'a settlement that is repeated skips no channel (SQLite)',
    file: 'src/store/sqlite/messages/settle.ts',
    from: 'leg = coalesce(:leg, leg)',
    to: 'leg = leg + coalesce(:leg, 0)',
    ...SQLITE,
  },
  {
    breaks: 'a late receipt of the channel before does not hurry the next (SQLite)',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: 'AND started_at > :startedAt AND channel IS NOT :channel',
    to: 'AND started_at > :startedAt AND channel = :channel',
    ...SQLITE,
  },
  {
    breaks:
      'a message whose channels have all failed counts as failed, however late the first was reported (SQLite)',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: "WHEN due_at IS NOT NULL THEN 'queued'",
    to: "WHEN due_at = :at THEN 'queued'",
    ...SQLITE,
  },
  {
    breaks: 'a confirmation counts for the channel that delivered (SQLite)',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: 'row.leg === 0 ? null : sentByOf(id, carrier)',
    to: 'row.leg === -1 ? sentByOf(id, carrier) : null',
    ...SQLITE,
  },
  {
    breaks: 'a confirmation is told with the channel that delivered (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/confirm.sql',
    from: 'told_channels := told_channels || sent_by;',
    to: 'told_channels := told_channels || NULL::text;',
    ...POSTGRES,
  },
  {
    breaks: 'a message in the inbox is worded for the channel that it came by',
    file: 'src/store/shared/sealed-message.ts',
    from: 'row.delivered_by ?? row.channel',
    to: 'row.channel ?? row.delivered_by',
    ...SERVICE,
    named: 'inbox',
  },
  {
    breaks: 'a route that messages go on by keeps its daily cap',
    file: 'src/delivery/dispatcher.ts',
    from: 'message.fallback === undefined ? run(true)',
    to: 'message.fallback !== null ? run(true)',
    ...SERVICE,
    named: 'daily cap',
  },
  {
    breaks: 'a place that nothing was sent under is given back',
    file: 'src/delivery/leg-cap.ts',
    from: 'if (result.charged.length === 0) cap',
    to: 'if (result.charged.length < 0) cap',
    tests: ['src/delivery/leg-cap.test.ts'],
  },
  {
    breaks: 'a node that stops keeps the channel that a message goes on by',
    file: 'src/delivery/dispatcher.ts',
    from: '{ ...next, dueAt: this.#deps.clock.now() }',
    to: "{ kind: 'retry', dueAt: this.#deps.clock.now() }",
    tests: ['src/delivery/dispatcher-stop.test.ts'],
  },
  {
    breaks: 'a message goes on in time after a clock was ahead (SQLite)',
    file: 'src/store/sqlite/upkeep/heal.ts',
    from: 'fallback_at = fallback_at - (created_at - :now),',
    to: '',
    ...SQLITE,
  },
  {
    breaks: 'a message whose time has come goes by the next channel (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/queue.sql',
    from: 'UPDATE delivery SET leg = leg + 1, rounds',
    to: 'UPDATE delivery SET rounds',
    ...POSTGRES,
  },
  {
    breaks: 'a message that is under way does not go on as well (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/queue.sql',
    from: 'WHERE fallback_at <= now AND due_at = expires_at AND expires_at > now',
    to: 'WHERE fallback_at <= now',
    ...POSTGRES,
  },
  {
    breaks: 'a late receipt of the channel before does not hurry the next (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/receipts.sql',
    from: "AND later.channel IS DISTINCT FROM on_channel AND later.outcome = 'accepted'",
    to: "AND later.channel IS NOT DISTINCT FROM on_channel AND later.outcome = 'accepted'",
    ...POSTGRES,
  },
  {
    breaks: 'what every carrier refused goes on by the next channel',
    file: 'src/delivery/round.ts',
    from: 'leg !== undefined && (isOver || now >= goesOnAt)',
    to: 'leg !== undefined && now >= goesOnAt',
    ...ROUND,
  },
  {
    breaks: 'what nobody takes goes on when its patience ends',
    file: 'src/delivery/round.ts',
    from: 'leg !== undefined && (isOver || now >= goesOnAt)',
    to: 'leg !== undefined && isOver',
    ...ROUND,
  },
  {
    breaks: 'a code is not kept for a time after its expiry',
    file: 'src/delivery/round.ts',
    from: 'return at < expiresAt ? at : undefined;',
    to: 'return at;',
    ...ROUND,
  },
  {
    breaks: 'a carrier is spent for its channel only',
    file: 'src/core/sending/legs.ts',
    from: 'channel === null ? carrier :',
    to: 'channel !== undefined ? carrier :',
    ...ROUND,
  },
  {
    breaks: 'a channel that cannot reach the destination is left out',
    file: 'src/core/sending/legs.ts',
    from: 'if (!parseDestination(destination.address, channel, ANY_NUMBER).ok) return [];',
    to: '',
    tests: ['src/core/sending/legs.test.ts'],
  },
];
