/** How long messages may be delivered, as carriers are told. */
import type { Mutant } from '../../mutant.ts';

const LIVES = ['test/carriers/time-left.test.ts'];

export const LIVES_OF_MESSAGES: readonly Mutant[] = [
  {
    breaks: 'how long a message lives does not go by this machine’s clock',
    file: 'src/carriers/time-left.ts',
    from: "({ now }: Pick<Clock, 'now'>, until: number): number => until - now();",
    to: '({ wall: now }: any, until: number): number => until - now();',
    tests: LIVES,
  },
  {
    breaks: 'how long a message lives over Telegram does not go by this machine’s clock',
    file: 'src/carriers/telegram/carrier.ts',
    from: 'timeLeft(clock, expiresAt)',
    to: 'timeLeft({ now: clock.wall }, expiresAt)',
    tests: LIVES,
  },
  {
    breaks: 'how long a message lives over SMPP does not go by this machine’s clock',
    file: 'src/carriers/smpp/carrier.ts',
    from: 'timeLeft(clock, message.expiresAt)',
    to: 'timeLeft({ now: clock.wall }, message.expiresAt)',
    tests: LIVES,
  },
  {
    breaks: 'how long a message lives over Google does not go by this machine’s clock',
    file: 'src/carriers/google/carrier.ts',
    from: 'lifeOf({ expiresAt }, clock, LIFE_S)',
    to: 'lifeOf({ expiresAt }, { now: clock.wall }, LIFE_S)',
    tests: LIVES,
  },
  {
    breaks: 'a date of expiry is by the clock of the machine that sends it',
    file: 'src/carriers/sinch/request.ts',
    from: 'new Date(clock.wall() + Math.min(',
    to: 'new Date(clock.now() + Math.min(',
    tests: LIVES,
  },
];
