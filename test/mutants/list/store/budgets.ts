import type { Mutant } from '../../mutant.ts';

const SQLITE = { tests: ['test/store/sqlite.test.ts'], named: 'store budgets' };
const POSTGRES = { tests: ['test/store/postgres/contract.test.ts'], named: 'store budgets' };
const IN_SQLITE = 'src/store/sqlite/budgets/reservations.ts';
const IN_POSTGRES = 'src/store/postgres/schema/functions/budgets.sql';

export const BUDGETS: readonly Mutant[] = [
  {
    breaks: 'a budget of money is not passed by what comes after its first message',
    file: IN_SQLITE,
    from: 'WHERE coalesce(money + excluded.money <= :money, true)',
    to: 'WHERE coalesce(money <= :money, true)',
    ...SQLITE,
  },
  {
    breaks: 'a budget of money is not passed by its first message',
    file: IN_SQLITE,
    from: 'WHERE coalesce(:cost <= :money, true) AND coalesce(:count <= :messages, true)',
    to: 'WHERE true',
    ...SQLITE,
  },
  {
    breaks: 'a budget that is refused leaves the others as they were',
    file: IN_SQLITE,
    from: "if (full.length > 0) db.exec('ROLLBACK TO budgets');",
    to: '',
    ...SQLITE,
  },
  {
    breaks: 'a verification that a budget refuses is not written',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: "if (reserved.kind === 'exhausted') db.exec('ROLLBACK TO issue');",
    to: '',
    ...SQLITE,
  },
  {
    breaks: 'a budget names the period that ends last',
    file: IN_SQLITE,
    from: '.sort((a, b) => b.endsAt - a.endsAt)',
    to: '.sort((a, b) => a.endsAt - b.endsAt)',
    ...SQLITE,
  },
  {
    breaks: 'a budget gets nothing back while another carrier may be asked',
    file: IN_SQLITE,
    from: 'kept.underWay || isWaiting.get({ id }) !== undefined',
    to: 'kept.underWay',
    ...SQLITE,
  },
  {
    breaks: 'a budget gets nothing back while a round is under way',
    file: IN_SQLITE,
    from: 'kept.underWay || isWaiting.get({ id }) !== undefined',
    to: 'isWaiting.get({ id }) !== undefined',
    ...SQLITE,
  },
  {
    breaks: 'the round of a lease that ran out counts in budgets',
    file: IN_SQLITE,
    from: 'kept.underWay ? (kept.spent ?? 0) + worst : kept.spent',
    to: 'kept.spent',
    ...SQLITE,
  },
  {
    breaks: 'a late settlement of a lost lease changes no budget',
    file: IN_SQLITE,
    from: 'WHERE verification_id = :id AND fence = :fence AND under_way = 1',
    to: 'WHERE verification_id = :id AND (fence = :fence OR true) AND under_way = 1',
    ...SQLITE,
  },
  {
    breaks: 'a budget is told to be nearly used once',
    file: IN_SQLITE,
    from: ' AND warned_messages < :messages',
    to: '',
    ...SQLITE,
  },
  {
    breaks: 'nodes wait for each other at the row of a budget',
    file: IN_POSTGRES,
    from: 'DO UPDATE SET ends_at = held.ends_at WHERE false',
    to: 'DO NOTHING',
    tests: ['test/store/postgres/interleavings.test.ts'],
    named: 'budget',
  },
  {
    breaks: 'one budget without room refuses for all',
    file: IN_POSTGRES,
    from: 'WHERE full_one.money + cost > other.money OR full_one.messages + count > other.messages',
    to: 'WHERE (full_one.money + cost > other.money OR full_one.messages + count > other.messages) AND full_one.kind = charge.kind',
    ...POSTGRES,
  },
  {
    breaks: 'a send that a budget refused does not count for its destination',
    file: 'src/store/postgres/schema/functions/issue.sql',
    from: 'PERFORM return_sends(hashes, earlier_hashes, refused);',
    to: '',
    ...POSTGRES,
  },
  {
    breaks: 'a budget gets nothing back while another carrier may be asked',
    file: IN_POSTGRES,
    from: 'AND NOT EXISTS (SELECT FROM delivery WHERE delivery.verification_id = reservation.verification_id)',
    to: '',
    ...POSTGRES,
  },
  {
    breaks: 'the round of a lease that ran out counts in budgets',
    file: IN_POSTGRES,
    from: 'CASE WHEN kept.under_way THEN coalesce(kept.spent, 0) + worst ELSE kept.spent END',
    to: 'kept.spent',
    ...POSTGRES,
  },
  {
    breaks: 'a message without room in its budgets for another round waits',
    file: 'src/store/postgres/schema/functions/queue.sql',
    from: 'AND delivery.verification_id <> ALL (without_room)',
    to: '',
    ...POSTGRES,
  },
  {
    breaks: 'a confirmation ends what is reserved in budgets',
    file: 'src/store/postgres/schema/functions/confirm.sql',
    from: 'PERFORM end_reservations(confirmed_ids);',
    to: 'NULL;',
    ...POSTGRES,
  },
  {
    breaks: 'a carrier that may have taken a message charges a budget',
    file: 'src/delivery/round.ts',
    from: 'if (!isNotTaken(answer)) charged.push(gate.name);',
    to: "if (answer.kind === 'accepted' || answer.kind === 'delivered') charged.push(gate.name);",
    tests: ['src/delivery/round.test.ts'],
  },
  {
    breaks: 'a message with room in a budget for one sending is not sent again by itself',
    file: 'src/carriers/gateway/transport.ts',
    from: '!answering && !once &&',
    to: '!answering &&',
    tests: ['test/carriers/http.test.ts'],
  },
];
