/** A server for tests, with stand-ins for everything behind it. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connect } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { BASIC_CHANNELS, type Channel } from '../core/destination/channel.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { Keyring } from '../core/secrets/keyring.ts';
import type { ConfirmAnswer, RequestAnswer, VerificationRequest } from '../core/verification/request.ts';
import type { KeyPairFiles } from './connection/key-pair.ts';
import { ensureSelfSigned, selfSignedFiles } from './connection/tls.ts';
import { createHttpServer, type HttpDeps, type HttpServerOptions } from './server.ts';

export const KEY = 'the-key';
export const NUMBER = '+12025550123';
const PREFIX = join(tmpdir(), 'countersign-http-');

export interface Fixture {
  readonly app: FastifyInstance;
  readonly files: KeyPairFiles;
  /** Every log line, parsed. */
  readonly log: Record<string, unknown>[];
  readonly answered: { route: string; status: number; ms: number }[];
  /** What reached the verifier. */
  readonly requests: VerificationRequest[];
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Listens on a free port of the loopback address. */
  listen(): Promise<number>;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface VerifierAnswers {
  /** Those of every service, if nothing else is said. */
  readonly channels?: readonly Channel[];
  readonly request?: RequestAnswer | Error | Promise<RequestAnswer>;
  readonly confirm?: ConfirmAnswer | Error;
}

export async function createFixture(
  t: TestContext,
  answers: VerifierAnswers = {},
  deps: Partial<HttpDeps> = {},
  options: Partial<HttpServerOptions> = {},
): Promise<Fixture> {
  const files = await sharedKeyPair(t);
  const log: Record<string, unknown>[] = [];
  const testLog = createTestLog(log);
  const answered: Fixture['answered'] = [];
  const requests: VerificationRequest[] = [];
  const app = await createHttpServer(
    {
      clock: SYSTEM_CLOCK,
      random: SYSTEM_RANDOM,
      verifier: () => ({
        channels: answers.channels ?? BASIC_CHANNELS,
        request: async (_caller, wanted) => {
          requests.push(wanted);
          const answer = await (answers.request ?? { kind: 'issued', id: 'ver_1', ...wanted });
          if (answer instanceof Error) throw answer;
          return answer;
        },
        findNamedText: () => ({ template: 'login', locale: 'en' }),
        confirm: async (_caller, id) => {
          const answer = answers.confirm ?? {
            kind: 'confirmed',
            id,
            destination: NUMBER,
            channel: 'sms',
            confirmedAt: Date.UTC(2026, 0, 2),
          };
          if (answer instanceof Error) throw answer;
          return answer;
        },
      }),
      keyring: new Keyring('a secret of thirty-two bytes or so'),
      inquire: async () => ({ kind: 'unknown' }),
      giveFeedback: async () => ({ kind: 'unknown' }),
      numbers: {
        check: async () => ({ kind: 'unknown' }),
        findLive: async () => ({ kind: 'unknown' }),
        approve: async () => 'unknown',
        cancel: async () => false,
      },
      authenticate: (token) =>
        token === KEY ? { keyId: 'key_1', accountId: 'acc_1', test: false } : Promise.resolve('unknown'),
      messages: async () => ({ ok: true, messages: [] }),
      findNotReady: () => undefined,
      readiness: async () => ({ ready: true, parts: { store: 'ok' } }),
      metrics: {
        answered: (route, status, ms) => answered.push({ route, status, ms }),
        render: async () => 'up 1\n',
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
        certificateUntil: () => {},
      },
      log: testLog,
      logRequest: (fields, message) => testLog.info(fields, message),
      ...deps,
    },
    { transport: { kind: 'tls', ...files }, certificateCheckMs: 20, ...options },
  );
  t.after(() => app.close());
  return {
    app,
    files,
    log,
    answered,
    requests,
    post: async (path, body, headers) => {
      const response = await app.inject({
        method: 'POST',
        url: path,
        payload: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        json: JSON.parse(response.body),
      };
    },
    listen: async () => {
      await app.listen({ port: 0, host: '127.0.0.1' });
      return (app.server.address() as AddressInfo).port;
    },
  };
}

export function createTestLog(lines: Record<string, unknown>[] = []) {
  return pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
}

/** One that no other test has: it is made. */
export async function temporaryKeyPair(t: TestContext): Promise<KeyPairFiles> {
  return await ensureSelfSigned(await temporaryDirectory(t));
}

let madeBefore: Promise<string> | undefined;

/** A copy of the one that is made once for all tests of this process, or of a whole run, because making one takes a process. */
async function sharedKeyPair(t: TestContext): Promise<KeyPairFiles> {
  madeBefore ??= makeSharedKeyPair();
  const directory = await temporaryDirectory(t);
  await cp(await madeBefore, directory, { recursive: true });
  return selfSignedFiles(directory);
}

async function makeSharedKeyPair(): Promise<string> {
  const { COUNTERSIGN_TEST_CERTIFICATE: ofRun } = process.env;
  if (ofRun !== undefined) return ofRun;
  const directory = await mkdtemp(PREFIX);
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await ensureSelfSigned(directory);
  return directory;
}

async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(PREFIX);
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Opens a TLS connection that trusts any certificate. */
export async function connectTls(t: TestContext, port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

/** Everything that arrives until the other side ends the connection. */
export function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

/** Writes the bytes on a new TLS connection and answers what comes back until its end. */
export async function exchange(t: TestContext, port: number, bytes: string): Promise<string> {
  const socket = await connectTls(t, port);
  socket.write(bytes);
  return await readToEnd(socket);
}

/** The certificate that a new connection is shown, as its fingerprint. */
export function servedFingerprint(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    request(
      { port, host: '127.0.0.1', path: '/healthz', rejectUnauthorized: false, agent: false },
      (response) => {
        const { socket } = response;
        const served =
          'getPeerX509Certificate' in socket ? (socket as ReturnType<typeof connect>) : undefined;
        resolve(served?.getPeerX509Certificate()?.fingerprint256 ?? 'none');
        response.resume();
      },
    )
      .on('error', reject)
      .end();
  });
}
