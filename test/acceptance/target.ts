/**
 * What the acceptance suite is run against: services of its own or, with `COUNTERSIGN_TEST_BASE_URL`, any other.
 *
 * With `COUNTERSIGN_TEST_NODES=2` its own services are two nodes on one PostgreSQL, and connections go to them in turn.
 *
 * Of another one it must be told `COUNTERSIGN_TEST_KEY` (a live key) and `COUNTERSIGN_TEST_TEST_KEY` (a test key of
 * the same account), and may be told `COUNTERSIGN_TEST_OTHER_KEY` (a key of another account) and
 * `COUNTERSIGN_TEST_CA` (a PEM file). Its routes must lead to the simulator and its limits must be the default ones.
 */
import { readFileSync } from 'node:fs';
import { after } from 'node:test';
import { startCluster } from '../nodes/cluster.ts';
import { type Service, type ServiceOptions, startService } from '../service.ts';
import { type Client, createClient, openTwo } from './client.ts';

export interface Target {
  readonly baseUrl: string;
  readonly ca: string | undefined;
  /** The process behind it, for tests that stop it and start it again; undefined for another service. */
  readonly own: Service | undefined;
  readonly client: Client;
  readonly testKey: string;
  /** A key of another account, where there is one. */
  readonly otherKey: string | undefined;
}

const { COUNTERSIGN_TEST_BASE_URL: external, ...env } = process.env;

/** Tests that need limits or durations of their own, or the process itself, are not registered against another service. */
export const isOwnService = external === undefined;

/** Services of this run are two nodes, whose store is not in their folder. */
export const onTwoNodes = env.COUNTERSIGN_TEST_NODES === '2';

/** Starts a service of the kind that this run tests. */
export function startTarget(options: ServiceOptions = {}): Promise<Service> {
  return onTwoNodes ? startCluster(options) : startService(options);
}

let opened: Promise<Target> | undefined;

/** Opens the target for the tests of a process, as a rule those of one file, and closes it after them. */
export function openTarget(): Promise<Target> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Target> {
  if (external === undefined) {
    const service = await startTarget();
    after(() => service[Symbol.asyncDispose]());
    const { baseUrl, ca, client } = service;
    const testKey = await service.createKey('test', { test: true });
    const otherKey = await service.createKey('other', { account: 'other' });
    return { baseUrl, ca, own: service, client, testKey, otherKey };
  }
  const caFile = env.COUNTERSIGN_TEST_CA;
  const ca = caFile === undefined ? undefined : readFileSync(caFile, 'utf8');
  const client = createClient({ baseUrl: external, ca, key: required('COUNTERSIGN_TEST_KEY') });
  after(() => client.close());
  await openTwo(client);
  return {
    baseUrl: external,
    ca,
    own: undefined,
    client,
    testKey: required('COUNTERSIGN_TEST_TEST_KEY'),
    otherKey: env.COUNTERSIGN_TEST_OTHER_KEY,
  };
}

function required(name: string): string {
  const value = env[name];
  if (value === undefined) throw new Error(`${name} must be set with COUNTERSIGN_TEST_BASE_URL`);
  return value;
}
