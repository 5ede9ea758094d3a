/** Plays histories, and holds what happens against the model. */
import type { Command, Conduct, Fault, TakingBack } from './command.ts';
import { drawNext, someFurther } from './generator/channels.ts';
import { aroundLookups, drawLookups } from './generator/lookups.ts';
import { suggest } from './generator/next.ts';
import { someCeilings } from './generator/reload.ts';
import { Situations } from './generator/situations.ts';
import type { Happening } from './happening.ts';
import type { Group, History, Surroundings } from './history.ts';
import { judgeKept } from './kept.ts';
import { Secrets } from './leaks.ts';
import { ACCOUNTS, CARRIERS } from './machine/names.ts';
import { type Draw, drawFrom } from './machine/random.ts';
import { Model } from './model/model.ts';
import { Explanation } from './model/orders.ts';
import { liveNow } from './model/state.ts';
import type { FixedOptions, LiveOptions } from './options.ts';
import { carriersOf, mayBeNext, takesBack } from './routes.ts';
import { Rows } from './rows.ts';
import { Simulation } from './simulation.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const HISTORIES_A_METRIC = 20;

/** What became of a history: all of it that was played, and what was wrong at its end. */
export interface Played {
  readonly history: History;
  readonly wrong: string | undefined;
  readonly happenings: readonly Happening[];
  /** Of the world, in ms. */
  readonly passed: number;
}

/** What the generator knows beside the model. */
interface Around {
  /** How many messages carriers were asked to send. */
  readonly sent: number;
  readonly isFull: boolean;
}
/** The next of a history: what it does in one moment. */
type Next = (model: Model, n: number, around: Around) => Group | undefined;

/** Plays what `next` suggests, until it suggests nothing or something is wrong. Then lets everything come to its end. */
async function play(world: Surroundings, next: Next): Promise<Played> {
  await using simulation = await Simulation.start(world);
  const began = simulation.now;
  const { database } = simulation;
  const rows = database && new Rows(database, world.fixed, began);
  const secrets = new Secrets();
  const explanation = new Explanation(new Model(world.fixed, world.live, simulation.secrets));
  const groups: Group[] = [];
  let seen = 0;
  let isFaulty = false;
  let isFull = false;
  const result = (wrong?: string): Played => ({
    history: { world, groups },
    wrong,
    happenings: simulation.happenings,
    passed: simulation.now - began,
  });

  /** What is wrong with what happened since it was last asked. */
  const judge = async (): Promise<string | undefined> => {
    const news = simulation.happenings.slice(seen);
    seen = simulation.happenings.length;
    const crashes = simulation.takeCrashes();
    const mayFail = isFaulty || isFull || crashes.length > 0 || simulation.hasJustWoken;
    const judged = news.filter((each) => each.kind !== 'command' || !AROUND.has(each.command.do));
    const kept = await judgeKept(simulation, rows, secrets, news, isFull);
    if (kept !== undefined) return kept;
    const wrong = explanation.take({ news: judged, crashes });
    if (wrong !== undefined) return wrong;
    const isExplained = (n: number) => explanation.model.states.some((it) => it.unanswered.includes(n));
    const failed = news.find(
      (each) =>
        each.kind === 'command' &&
        each.answer.status >= 500 &&
        !(each.answer.status === 503 && (mayFail || isExplained(each.n))),
    );
    return failed?.kind === 'command'
      ? `nothing was wrong, and ${failed.command.do} was answered with ${failed.answer.status}`
      : undefined;
  };

  for (let n = 0; !explanation.model.lost; n++) {
    const group = next(explanation.model, n, { sent: simulation.sentCount, isFull });
    if (group === undefined) break;
    groups.push(group);
    const wrong = (await failureOf(simulation.do(...group))) ?? (await judge());
    const [first] = group;
    if (first?.do === 'disk') isFull = first.isFull;
    if (first?.do === 'fault') isFaulty = true;
    else if (!group.every(({ do: what }) => LEAVES_FAULTS.has(what))) isFaulty = false;
    if (wrong !== undefined) return result(wrong);
  }
  if (explanation.model.lost) return result();
  // Whatever was in the way is over: what was promised has its time now.
  await simulation.do({ do: 'disk', isFull: false });
  for (const carrier of CARRIERS) await simulation.do({ do: 'carrier', carrier, conduct: 'accepted' });
  for (const carrier of CARRIERS) await simulation.do({ do: 'take-back', carrier, answer: 'revoked' });
  for (const account of ACCOUNTS) await simulation.do({ do: 'endpoint', account, status: 204 });
  const before = simulation.now;
  // One look finds what has ended, another tells of it, and all look once when a wait ends.
  // each by itself: several in one moment would push an order out that the log may contradict
  let wrong = await judge();
  for (let waits = 0; waits < 4 && wrong === undefined; waits++) {
    await simulation.do({ do: 'wait', ms: MINUTE / 2 });
    wrong = await judge();
  }
  // Whatever measures the process of tests goes on when it was asked once, so not each history asks.
  const isMeasured = world.seed % HISTORIES_A_METRIC === 0;
  const shown = isMeasured ? secrets.findIn('the metrics', await simulation.metrics()) : undefined;
  wrong ??= shown;
  for (const account of ACCOUNTS) {
    const by = explanation.model.readerOf(account);
    if (by === undefined || wrong !== undefined) continue;
    for (const asked of [
      { do: 'sign-in', by },
      { do: 'list', by, account, what: 'audit' },
    ] as const) {
      await simulation.do(asked);
      wrong ??= await judge();
    }
  }
  wrong ??= explanation.model.end();
  if (wrong !== undefined) return result(wrong);
  const { model } = explanation;
  const [owed] = model.owed(simulation.now).filter(({ since }) => since < before);
  if (owed !== undefined) return result(`${owed.what} was promised and not sent`);
  const [untold] = model.untold(simulation.now).filter(({ since }) => since < before);
  return result(untold && `${untold.account} was not told ${untold.what} (webhooks.md, At least once)`);
}

/** Why something was not done that is always to be done. */
const failureOf = (doing: Promise<void>): Promise<string | undefined> =>
  doing.then(
    () => undefined,
    (error: unknown) => String(error instanceof Error ? error.stack : error),
  );

/** Plays a history that was kept. */
export const replay = (history: History): Promise<Played> => play(history.world, (_, n) => history.groups[n]);

/** Plays a history of at most `length` groups, as the seed has it, over the store and with as many nodes as asked for. */
export function playSeed(
  seed: number,
  length: number,
  shared: Pick<Surroundings, 'store' | 'nodes'> = {},
): Promise<Played> {
  const draw = drawFrom(seed);
  const world = { ...drawWorld(seed, draw), ...shared };
  const { nodes = 1 } = world;
  const situations = new Situations();
  const chosen = (model: Model, around: Around): Group => {
    if (around.isFull && draw(ROOM_AFTER) === 0) return [{ do: 'disk', isFull: false }];
    return situations.next(model, draw) ?? drawGroup(model, draw, world, around);
  };
  const next = (model: Model, around: Around) =>
    nodes === 1 ? chosen(model, around) : drawShared(draw, nodes, () => chosen(model, around));
  return play(world, (model, n, around) => (n < length ? next(model, around) : undefined));
}

/** Commands that happen around the service, of which the model sees only what follows. */
const AROUND: ReadonlySet<Command['do']> = new Set([
  ...(['carrier', 'take-back', 'report', 'fault', 'crash', 'endpoint', 'pause'] as const),
  ...(['provider', 'line'] as const),
]);

/** A fault that was not met yet is still to come after these. */
const LEAVES_FAULTS: ReadonlySet<Command['do']> = new Set([
  ...(['carrier', 'take-back', 'endpoint', 'disk', 'pause', 'clock', 'provider', 'line'] as const),
]);

/** In thousandths: how often something happens around the service, in place of a command, or several come at once. */
const CHANCES = {
  carrier: 80,
  takeBack: 40,
  report: 70,
  lookup: 90,
  fault: 25,
  crash: 12,
  restart: 12,
  disk: 10,
  endpoint: 20,
  together: 70,
};
const CONDUCTS: readonly Conduct[] = [
  ...(['accepted', 'slow', 'arrived', 'refused', 'failed for now', 'answer lost', 'hung'] as const),
];
const TAKING_BACK: readonly TakingBack[] = [
  ...(['revoked', 'unless arriving', 'unless arriving', 'arrived', 'unknown', 'failed', 'hung'] as const),
];
const FAULTS: readonly Fault[] = ['not committed', 'committed unheard', 'crash before', 'crash after'];
/** A full disk has room again after about so many commands. */
const ROOM_AFTER = 5;
const MOST_AT_ONCE = 3;
/** Of so many groups of commands at once, one is still under way when the process is told to stop. */
const RESTARTS_BESIDE = 10;

function drawGroup(model: Model, draw: Draw, world: Surroundings, { sent: sentCount }: Around): Group {
  const [s] = model.states;
  const carriers = carriersOf(s === undefined ? world.live : liveNow(s));
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  let chance = draw(1_000);
  const isChosen = (share: number) => {
    chance -= share;
    return chance < 0;
  };
  const { carrier } = pick(carriers);
  if (isChosen(CHANCES.takeBack) && carriers.some((it) => takesBack(it.carrier)))
    return carriers
      .filter((it) => takesBack(it.carrier))
      .map((it) => ({ do: 'take-back', carrier: it.carrier, answer: pick(TAKING_BACK) }));
  if (isChosen(CHANCES.carrier))
    return [{ do: 'carrier', carrier, conduct: draw(3) === 0 ? 'accepted' : pick(CONDUCTS) }];
  if (isChosen(CHANCES.report)) {
    // Most reports are about one of the newest messages.
    const sent = Math.max(0, sentCount - 1 - Math.min(draw(8), draw(8)));
    return [{ do: 'report', sent, status: draw(3) === 0 ? 'undelivered' : 'delivered' }];
  }
  if (s?.fixed.lookups !== undefined && isChosen(CHANCES.lookup)) {
    const changed = aroundLookups(s, draw);
    if (changed !== undefined) return [changed];
  }
  if (isChosen(CHANCES.fault)) {
    const after = s?.fixed.lookups !== undefined && draw(2) === 0 ? { after: 1 } : {};
    return [{ do: 'fault', fault: pick(FAULTS), ...after }];
  }
  if (isChosen(CHANCES.disk)) return [{ do: 'disk', isFull: true }];
  if (isChosen(CHANCES.crash)) return [{ do: 'crash' }];
  if (isChosen(CHANCES.restart)) return [{ do: 'restart' }];
  if (isChosen(CHANCES.endpoint)) {
    return [
      {
        do: 'endpoint',
        account: pick(ACCOUNTS),
        status: draw(2) === 0 ? 204 : pick([500, 500, 503, 503, 410]),
      },
    ];
  }
  const first = suggest(model, draw);
  if (!isChosen(CHANCES.together) || !MAY_BE_AT_ONCE.has(first.do)) return [first];
  const others = Array.from({ length: 1 + draw(MOST_AT_ONCE - 1) }, () =>
    draw(2) === 0 ? first : suggest(model, draw),
  );
  const group = [first, ...others.filter((other) => MAY_BE_AT_ONCE.has(other.do))];
  const isStopped = draw(RESTARTS_BESIDE) === 0 && group.every((each) => ARE_ANSWERED.has(each.do));
  return isStopped ? [...group, { do: 'restart' }] : group;
}

/** In thousandths: how often something happens to the machine of one of several nodes. */
const OF_NODES = { pause: 20, clock: 20 };
/** Shorter and longer than a lease, which is 15 s. */
const PAUSES = [2_000, 20_000, 60_000];
/** A clock may differ from the database's by up to a minute, and from another node's (postgresql.md, Clocks). */
const AHEAD = [-50_000, -1_500, 0, 1_500, 50_000];

/** Each command goes to one of the nodes. */
function drawShared(draw: Draw, nodes: number, chosen: () => Group): Group {
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  const chance = draw(1_000);
  const at = () => {
    const node = draw(nodes);
    return node === 0 ? {} : { node };
  };
  if (chance < OF_NODES.pause) return [{ do: 'pause', ...at(), ms: pick(PAUSES) }];
  if (chance < OF_NODES.pause + OF_NODES.clock) return [{ do: 'clock', ...at(), ahead: pick(AHEAD) }];
  return chosen().map((command) => ({ ...command, ...at() }));
}

const MAY_BE_AT_ONCE: ReadonlySet<Command['do']> = new Set([
  ...(['verify', 'confirm', 'look', 'hook', 'block', 'unblock', 'keyword'] as const),
  ...([
    'member',
    'list',
    'reveal',
    'open',
    'judge',
    'settings',
    'bound-key',
    'change-key',
    'revoke-key',
    'test-carrier',
  ] as const),
  ...(['twilio-send', 'twilio-check', 'twilio-fetch', 'twilio-update'] as const),
  ...(['camara-send', 'camara-check', 'feedback', 'twilio-feedback'] as const),
]);

/** What a process that is told to stop still answers. */
const ARE_ANSWERED: ReadonlySet<Command['do']> = new Set([
  ...(['verify', 'confirm', 'look', 'hook'] as const),
  ...(['twilio-send', 'twilio-check', 'twilio-fetch', 'twilio-update'] as const),
  ...(['camara-send', 'camara-check', 'feedback', 'twilio-feedback'] as const),
]);

/** Limits are tight, so that short histories meet them. */
function drawWorld(seed: number, draw: Draw): Surroundings {
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  const fixed: FixedOptions = {
    code: {
      length: pick([4, 6, 6, 8]),
      validFor: pick([MINUTE, 5 * MINUTE, 10 * MINUTE]),
      guesses: pick([1, 2, 3, 5]),
    },
    limits: {
      sendsPerDestination: pick([['2/1m', '5/1d'], ['3/10m'], ['4/10m', '6/1d'], ['20/1h']]),
      failedGuessesPerDestination: pick([['2/10m'], ['4/1h'], ['10/1d']]),
      requestsPerKey: pick([['3/1s'], ['10/1m'], []]),
    },
    retention: { verifications: pick([1, 2, 30]) * DAY, events: pick([4, 7]) * DAY },
    guard: pick(['off', 'enforce']),
    ...(draw(2) === 0 && { lookups: drawLookups(draw) }),
  };
  const live: LiveOptions = {
    countries: draw(3) === 0 ? ['US', 'DE'] : [],
    route: pick([
      [{ carrier: 'one', price: 0.05 }],
      [
        { carrier: 'one', price: 0.05 },
        { carrier: 'two', price: 0.1 },
      ],
      [
        { carrier: 'one', price: 0.05, cap: 2 },
        { carrier: 'two', price: 0.1 },
      ],
    ]),
    budgets: pick<LiveOptions['budgets']>([
      [],
      [],
      [{ of: 'account', per: 'hour', messages: 3 }],
      [{ of: 'installation', per: 'day', money: 0.4 }],
      [
        { of: 'key', per: 'hour', money: 0.2 },
        { of: 'country', per: 'day', messages: 6 },
      ],
    ]),
    ...(draw(3) === 0 && { ceilings: someCeilings(draw) }),
    ...(draw(6) === 0 && { routeCap: 1 + draw(5) }),
    ...(draw(2) === 0 && { further: someFurther(draw) }),
  };
  const goesOn =
    draw(live.further === undefined ? 3 : 2) === 0 ? { ...live, next: drawNext(draw, live) } : live;
  return { seed, fixed, live: mayBeNext(goesOn) ? goesOn : live };
}
