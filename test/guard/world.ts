/** The traffic that a guard is judged by: honest people and attackers, drawn from broad ranges by a seed. */
import { bombMany, bombOne, guessing } from './world/parts/abuse.ts';
import { nightTest, onboarding } from './world/parts/company.ts';
import * as honest from './world/parts/honest.ts';
import { hook, hooks } from './world/parts/hooks.ts';
import * as published from './world/parts/published.ts';
import * as pumping from './world/parts/pumping.ts';
import * as signIns from './world/parts/sign-ins.ts';
import * as together from './world/parts/together.ts';
import { plan, type ScenarioPlan } from './world/scenario.ts';

const DAYS = { history: [20, 48], hours: [60, 110], calm: [4, 8], perDay: [2_500, 7_000] } as const;
const HALF_A_DAY = { hours: [12.5, 15], perDay: [3_000, 10_000] } as const;
const SIGN_INS = { history: [1, 12], hours: [60, 100], calm: [2.5, 5], perDay: [800, 3_000] } as const;
const A_DAY = { history: [10, 36], hours: [12, 30] } as const;
const WITH_WARM_UP = { history: [20, 48], perDay: [3_000, 10_000] } as const;
const NO_HISTORY = { history: [0, 0.3], perDay: [6_000, 20_000], calm: [6, 12] } as const;

const HONEST: readonly ScenarioPlan[] = [
  plan('everyday', 'honest', 'nothing happens for days', [], { ...DAYS, hours: [12, 60] }),
  plan('travellers', 'honest', 'a few people from each of dozens of countries', [honest.travellers]),
  plan('launch', 'honest', 'a new country, fifty times as many people within the hour', [honest.launch]),
  plan('television-spot', 'honest', 'hundreds or thousands of people within minutes', [
    honest.televisionSpot,
  ]),
  plan('onboarding', 'honest', 'a company signs up, with adjacent numbers', [onboarding]),
  plan('shared-address', 'honest', 'a campus or a CGNAT behind one address', [honest.sharedAddress]),
  plan('poor-country', 'honest', 'a country in which 30 to 40 % confirm', [honest.poorCountry]),
  plan('outage', 'honest', 'codes do not arrive, people repeat, then it works again', [honest.outage]),
  plan('night-test', 'honest', 'a machine tests the sign-in at three in the morning', [nightTest]),
  plan('new-account', 'honest', 'a new customer whose people come at once', [honest.newAccount]),
  plan('first-day', 'honest', 'a new installation with no history', [honest.newAccount], NO_HISTORY),
  plan('busy-day', 'honest', 'a launch, an onboarding, a television spot and an outage', [
    honest.launch,
    onboarding,
    honest.televisionSpot,
    honest.outage,
  ]),
  plan('offices', 'honest', 'adjacent numbers that sign in all day', [signIns.offices], SIGN_INS),
  plan('monitors', 'honest', 'machines that test the sign-in all day', [signIns.monitors], SIGN_INS),
  plan('hourly', 'honest', 'people who are asked for a code each hour', [signIns.hourly], SIGN_INS),
  plan('hooked-spot', 'honest', 'a television spot, all codes are judged elsewhere', [
    hooks,
    honest.televisionSpot,
  ]),
  plan('hooked-launch', 'honest', 'a launch, all codes are judged elsewhere', [hooks, honest.launch]),
  plan(
    'hooked-offices',
    'honest',
    'adjacent numbers that sign in all day, all codes are judged elsewhere',
    [hooks, signIns.offices],
    SIGN_INS,
  ),
  plan('two-services', 'honest', 'people who use two services within 25 minutes', [signIns.twoServices]),
];

const ATTACKS: readonly ScenarioPlan[] = [
  plan('adjacent', 'attack', 'thousands of messages over adjacent ranges of one country', [pumping.adjacent]),
  plan('thin', 'attack', 'spread over up to 40 countries', [pumping.thin]),
  plan('slow', 'attack', '5 to 10 % of the volume for days', [pumping.slow], DAYS),
  plan('waves', 'attack', 'a dozen short floods over days', [pumping.waves], DAYS),
  plan('inside', 'attack', 'in a country with much honest traffic', [pumping.inside]),
  plan('confirming', 'attack', 'bots confirm 15 to 35 % of the messages', [pumping.confirming]),
  plan(
    'warmed-up',
    'attack',
    'a range with confirmations first, then the flood',
    [pumping.warmed],
    WITH_WARM_UP,
  ),
  plan('rotating', 'attack', 'other addresses, keys, accounts and ranges each time', [pumping.rotating]),
  plan('first-minute', 'attack', 'the first requests of a new account', [pumping.firstMinute]),
  plan('no-history', 'attack', 'minutes after the installation began', [pumping.adjacent], NO_HISTORY),
  plan('bomb-one', 'attack', 'a person under codes from all accounts', [bombOne]),
  plan('bomb-many', 'attack', 'hundreds of people, a few codes each', [bombMany]),
  plan('guessing', 'attack', 'many numbers, wrong codes', [guessing]),
  plan(
    'published-uzbekistan',
    'attack',
    '13,000 texts to +99899394, 20,000 addresses',
    [published.uzbekistan],
    {
      hours: [4, 24],
      perDay: [3_000, 10_000],
    },
  ),
  plan('published-morocco', 'attack', '8,000 random numbers in 12 hours', [published.morocco], HALF_A_DAY),
  ...[10, 20, 25, 30, 40].map((share) =>
    plan(
      `faked-${share}`,
      'attack',
      `${share} % confirmed, some thirty an hour in each block`,
      [pumping.faking(share / 100)],
      A_DAY,
    ),
  ),
  plan('hooked-adjacent', 'attack', 'adjacent ranges, all codes are judged elsewhere', [
    hooks,
    pumping.adjacent,
  ]),
  plan(
    'hooked-waves',
    'attack',
    'a dozen short floods, all codes are judged elsewhere',
    [hooks, pumping.waves],
    DAYS,
  ),
  plan('published-voice', 'attack', 'calls to +381, then to +44', [published.voice]),
];

const MIXED: readonly ScenarioPlan[] = [
  plan('pumped-launch', 'mixed', 'an attack in the country that is just launched', [together.pumpedLaunch]),
  plan('pumped-spot', 'mixed', 'a television spot and an attack inside busy countries', [
    honest.televisionSpot,
    pumping.inside,
  ]),
  plan('pumped-outage', 'mixed', 'an outage, and an attack elsewhere', [honest.outage, pumping.adjacent]),
  plan('pumped-onboarding', 'mixed', 'an attack next to a company that signs up', [
    together.pumpedOnboarding,
  ]),
  plan('pumped-poor-country', 'mixed', 'an attack in a country in which 30 to 40 % confirm', [
    together.pumpedPoor,
  ]),
  plan('thin-travellers', 'mixed', 'spread thin, beside an application for travellers', [
    honest.travellers,
    pumping.thin,
  ]),
  plan('guessed-campus', 'mixed', 'a campus behind one address, and guessing', [
    honest.sharedAddress,
    guessing,
  ]),
  plan('pumped-new-account', 'mixed', 'a new account with honest people, attacked at once', [
    together.pumpedNewAccount,
  ]),
  plan(
    'slow-and-warm',
    'mixed',
    'slow pumping with a warmed-up range beside it',
    [pumping.slow, pumping.warmed],
    DAYS,
  ),
  plan('bombed-spot', 'mixed', 'a television spot and code bombing', [honest.televisionSpot, bombMany]),
  plan('three-attacks', 'mixed', 'adjacent, thin and bombing at the same time', [
    pumping.adjacent,
    pumping.thin,
    bombOne,
  ]),
  plan('confirming-and-rotating', 'mixed', 'two attackers who know what they do', [
    pumping.confirming,
    pumping.rotating,
  ]),
  plan('everything', 'mixed', 'a launch, an outage and an onboarding under three attacks', [
    honest.launch,
    honest.outage,
    onboarding,
    pumping.inside,
    pumping.thin,
    guessing,
  ]),
  plan('one-hooked', 'mixed', 'an attack through a hook of one account, beside a television spot', [
    hook,
    honest.televisionSpot,
    pumping.adjacent,
  ]),
  plan('locked-out', 'mixed', 'known people sign in while others post their numbers elsewhere', [
    signIns.lockOut,
  ]),
  plan(
    'pumped-offices',
    'mixed',
    'offices and machines that sign in all day, beside bots that confirm',
    [signIns.offices, signIns.monitors, pumping.confirming],
    SIGN_INS,
  ),
];

export const scenarios: readonly ScenarioPlan[] = [...HONEST, ...ATTACKS, ...MIXED];
