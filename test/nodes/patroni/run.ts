/** Failovers by Patroni under load; README.md beside this says what is needed and what is printed. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintKey } from '../../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { openGateway } from '../../faults/gateway.ts';
import { type Service, startService } from '../../service.ts';
import { startPgBouncer } from '../../store/postgres/pgbouncer.ts';
import { startLoad } from './load.ts';
import { SUPERUSER } from './machine.ts';
import { createDatabase, type Patroni, startPatroni } from './patroni.ts';

const PAUSED_MS = 30_000;
/** Until a standby is synchronous again, and what is said by then is known to be so. */
const SETTLING_MS = 25_000;

const SCENARIOS = {
  async kill(patroni) {
    const leader = await patroni.leader();
    await leader.kill();
    await sleep(SETTLING_MS + 20_000);
    leader.start();
  },
  async pause(patroni) {
    const leader = await patroni.leader();
    await leader.pause();
    await sleep(PAUSED_MS);
    leader.resume();
    await sleep(SETTLING_MS);
  },
  async switchover(patroni) {
    await patroni.switchover(await patroni.leader());
    await sleep(SETTLING_MS);
  },
  async standby(patroni) {
    const standby = await patroni.synchronousStandby();
    await standby?.kill();
    await sleep(SETTLING_MS);
    standby?.start();
  },
} satisfies Record<string, (patroni: Patroni) => Promise<void>>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strict: { type: 'boolean', default: false },
    dcs: { type: 'string', default: 'etcd3' },
    log: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
    poolers: { type: 'boolean', default: false },
  },
});
const { strict, dcs } = values;
const secret = randomBytes(32).toString('hex');
const presetKey = mintKey(SYSTEM_RANDOM, false).key;
if (dcs !== 'etcd' && dcs !== 'etcd3') throw new Error('--dcs is etcd or etcd3');
const wanted = Object.entries(SCENARIOS).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);

await using parts = new AsyncDisposableStack();
const patroni = parts.use(await startPatroni({ strict, dcs }));
await createDatabase(patroni.proxyPort, 'service');
const gateway = parts.use(await openGateway());
const nodes = {
  'hosts by name': parts.use(await openNode(patroni.machines.map(({ port }) => port))),
  HAProxy: parts.use(await openNode([patroni.proxyPort])),
  ...(values.poolers && (await openBehindPooler())),
};
const cluster = `${dcs}${strict ? ', strict' : ''}`;
const rounds = Array.from({ length: Number(values.rounds) }, () => wanted).flat();
for (const [name, happen] of rounds) {
  const loads = Object.entries(nodes).map(([way, { client }]) => ({ way, load: startLoad(client, gateway) }));
  await sleep(5_000);
  await happen(patroni);
  await Promise.all(loads.map(({ load }) => load.stop()));
  await patroni.untilHealthy();
  await sleep(3_000);
  for (const { way, load } of loads) {
    const lost = await load.countLost();
    const seconds = (load.away / 1_000).toFixed(1);
    console.log(
      `${name}, ${cluster}, ${way}: ${load.promised} answered 200, ${lost} lost, ${seconds} s without a 200`,
    );
  }
}
if (values.log)
  for (const [way, { logs }] of Object.entries(nodes)) console.log(`${way}:\n${warningsIn(logs())}`);

/** Before HAProxy, which follows the primary. */
async function openBehindPooler() {
  const { username, password } = SUPERUSER;
  const server = `postgres://${username}:${password}@127.0.0.1:${patroni.proxyPort}/service`;
  const bouncer = await startPgBouncer(server, { mode: 'transaction', size: 20 });
  if (bouncer === undefined) throw new Error('there is no pgbouncer');
  parts.use(bouncer);
  return {
    PgBouncer: parts.use(await openNode([Number(new URL(bouncer.through(server)).port)])),
  };
}

function openNode(ports: readonly number[]): Promise<Service> {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const login = `${SUPERUSER.username}:${SUPERUSER.password}`;
  return startService({
    presetKey,
    config: {
      limits: { requestsPerKey: [] },
      delivery: { lease: '5s' },
      carriers: { gateway: gateway.carrier },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
    env: {
      COUNTERSIGN_STORE_URL: `postgres://${login}@${hosts}/service?target_session_attrs=read-write`,
      COUNTERSIGN_SECRET: secret,
    },
  });
}

/** What a node warned of, each thing once. */
function warningsIn(log: string): string {
  const lines = log.split('\n').filter((line) => /"level":"(warn|error)"/.test(line));
  const told = lines
    .map((line) => Object(JSON.parse(line)))
    .map(({ msg, error }) => `  ${msg}: ${error?.message}`);
  return [...new Set(told)].join('\n');
}
