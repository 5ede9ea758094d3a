/** A scripted Asterisk: speaks ARI as observed with Asterisk 22, and does with each call what its script says. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../free-port.ts';
import { acceptWebSocket, type Peer } from './web-socket.ts';

export interface AriRequest {
  readonly method: string;
  /** As it was on the wire, query included. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The steps of a call's script. */
export type Fate = (call: PeerCall) => void | Promise<void>;

const CREDENTIALS = `Basic ${btoa('otp:secret')}`;
const LANGUAGES = ['en', 'es', 'fr', 'it', 'ru'];

export class PeerCall {
  readonly id: string;
  readonly order: Readonly<Record<string, unknown>>;
  /** Media of each playback, in the order in which they were asked for. */
  readonly played: string[][] = [];
  readonly languages: unknown[] = [];
  state = 'Down';
  over = false;
  readonly #tell: (event: object) => void;
  readonly #forget: () => void;
  /** Cuts a playback short, leaving it in that state. */
  readonly #playing = new Map<string, (state: 'failed' | 'done') => void>();

  constructor(
    id: string,
    order: Readonly<Record<string, unknown>>,
    tell: (event: object) => void,
    forget: () => void,
  ) {
    this.id = id;
    this.order = order;
    this.#tell = tell;
    this.#forget = forget;
  }

  tell(type: string, facts: object = {}): void {
    this.#tell({ type, ...facts, channel: { id: this.id, state: this.state } });
  }

  ring(): void {
    this.state = 'Ringing';
    this.tell('ChannelStateChange');
    this.#tell({ type: 'Dial', dialstatus: 'RINGING', peer: { id: this.id, state: this.state } });
  }

  /** Sound before an answer, and no ringing (SIP 183). */
  playEarlyMedia(): void {
    this.#tell({ type: 'Dial', dialstatus: 'PROGRESS', peer: { id: this.id, state: this.state } });
  }

  answer(): void {
    this.state = 'Up';
    this.tell('ChannelStateChange');
    this.tell('StasisStart', { args: [] });
  }

  press(digit: string): void {
    this.tell('ChannelDtmfReceived', { digit });
  }

  end(cause: number, status?: number): void {
    if (this.over) return;
    this.over = true;
    const facts = { cause, ...(status !== undefined && { tech_cause: status }) };
    this.tell('ChannelHangupRequest', facts);
    for (const cut of this.#playing.values()) cut('failed');
    this.tell('ChannelDestroyed', { ...facts, cause_txt: '' });
    this.#forget();
  }

  isPlaying(playback: string): boolean {
    return this.#playing.has(playback);
  }

  async play(
    playback: string,
    media: string[],
    lasts: number,
    exists: (media: string) => boolean,
  ): Promise<void> {
    const describe = (state: string) => ({
      playback: { id: playback, state, target_uri: `channel:${this.id}`, media_uri: media.at(-1) },
    });
    const stop = new AbortController();
    this.#playing.set(playback, (state) => stop.abort(state));
    this.#tell({ type: 'PlaybackStarted', ...describe('playing') });
    await sleep(lasts, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    this.#playing.delete(playback);
    const state = stop.signal.aborted
      ? String(stop.signal.reason)
      : exists(media.at(-1) ?? '')
        ? 'done'
        : 'failed';
    this.#tell({ type: 'PlaybackFinished', ...describe(state) });
  }

  stopPlaying(playback: string): void {
    this.#playing.get(playback)?.('done');
  }
}

export class AriPeer implements AsyncDisposable {
  readonly requests: AriRequest[] = [];
  readonly calls: PeerCall[] = [];
  /** What happens to a call; by default somebody answers at once and listens. */
  fate: Fate = (call) => {
    call.ring();
    call.answer();
  };
  /** How long each playback lasts, in ms. */
  playMs = 1;
  sounds: (media: string) => boolean = () => true;
  /** Replaces the peer's answer to a request: a status, or 'hang'. */
  override: (method: string, path: string) => number | 'hang' | undefined = () => undefined;
  /** Silently stops sending events. */
  deaf = false;
  /** The trunk's state. */
  state = 'online';
  readonly #channels = new Map<string, PeerCall>();
  readonly #apps = new Map<string, Peer>();
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get links(): number {
    return this.#apps.size;
  }

  /** Starts, on the same port as before. */
  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#answer(request, response));
    server.on('upgrade', (request, socket) => {
      if (request.headers.authorization !== CREDENTIALS) {
        socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      const app = new URL(request.url ?? '', this.url).searchParams.get('app') ?? '';
      const peer = acceptWebSocket(request, socket);
      // As Asterisk does.
      this.#apps.get(app)?.drop();
      this.#apps.set(app, peer);
      socket.on('close', () => this.#apps.get(app) === peer && this.#apps.delete(app));
    });
    // One that it has again when it comes back.
    if (this.#port === 0) this.#port = await freePort();
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    return this;
  }

  /** Dies with all its calls. */
  async die(): Promise<void> {
    this.#channels.clear();
    this.dropLinks();
    this.#server?.closeAllConnections();
    if (this.#server?.listening) {
      this.#server.close();
      await once(this.#server, 'close');
    }
  }

  /** Breaks the event connections; the calls go on. */
  dropLinks(): void {
    for (const peer of this.#apps.values()) peer.drop();
    this.#apps.clear();
  }

  get channels(): number {
    return this.#channels.size;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.die();
  }

  /** Requests of one kind, by method and the end of their path. */
  asked(method: string, path: RegExp): AriRequest[] {
    return this.requests.filter((request) => request.method === method && path.test(request.url));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '' } = request;
    const body = text === '' ? {} : JSON.parse(text);
    this.requests.push({ method, url, body });
    const path = url.replace(/^\/ari/, '').replace(/\?.*/, '');
    const overridden = this.override(method, path);
    if (overridden === 'hang') return;
    const known = request.headers.authorization === CREDENTIALS;
    const [status, answer] = known
      ? overridden === undefined
        ? this.#act(method, path, body)
        : [overridden, {}]
      : [401, {}];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? undefined : JSON.stringify(answer));
  }

  #act(method: string, path: string, body: Record<string, unknown>): [number, unknown] {
    const [, collection = '', id = '', action, detail = ''] = path.split('/');
    switch (`${method} ${collection}${action === undefined ? '' : ` ${action}`}`) {
      case 'GET sounds':
        return [200, listSounds()];
      case 'GET asterisk':
        return [200, { ping: 'pong' }];
      case 'GET endpoints carrier':
        return [200, { technology: 'PJSIP', resource: 'carrier', state: this.state, channel_ids: [] }];
      case 'POST events beat':
        if (!this.#apps.has(String(body.application))) return [404, {}];
        if (!this.deaf) this.#send(String(body.application), { type: 'ChannelUserevent', eventname: 'beat' });
        return [204, undefined];
      case 'POST channels':
        return this.#dial(id, body);
      case 'GET playbacks': {
        const playing = [...this.#channels.values()].some((call) => call.isPlaying(id));
        return playing ? [200, { id, state: 'playing' }] : [404, {}];
      }
      case 'DELETE playbacks':
        for (const call of this.#channels.values()) call.stopPlaying(id);
        return [204, undefined];
    }
    if (`${method} ${path}` === 'GET /channels') return [200, []];
    const call = this.#channels.get(id);
    if (collection !== 'channels' || call === undefined) return [404, { message: 'not found' }];
    switch (`${method} ${action ?? ''}`) {
      case 'GET ':
        return [200, { id, state: call.state }];
      case 'DELETE ':
        call.end(16);
        return [204, undefined];
      case 'POST dtmf':
        return [204, undefined];
      case 'POST play': {
        const media = Array.isArray(body.media) ? body.media.map(String) : [];
        call.played.push(media);
        call.languages.push(body.lang);
        void call.play(detail, media, this.playMs, this.sounds);
        return [201, { id: detail, state: 'queued' }];
      }
      default:
        return [404, {}];
    }
  }

  #dial(id: string, order: Record<string, unknown>): [number, unknown] {
    const app = String(order.app);
    const call = new PeerCall(
      id,
      order,
      (event) => this.#send(app, event),
      () => this.#channels.delete(id),
    );
    this.calls.push(call);
    this.#channels.set(id, call);
    setImmediate(() => void this.fate(call));
    return [200, { id, state: 'Down' }];
  }

  #send(app: string, event: object): void {
    if (!this.deaf) this.#apps.get(app)?.send(JSON.stringify({ ...event, application: app }));
  }
}

function listSounds(): object[] {
  const formats = LANGUAGES.map((language) => ({ language, format: 'slin' }));
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => ({ id: `letters/${letter}`, formats }));
  const digits = [...'0123456789'].map((digit) => ({ id: `digits/${digit}`, formats }));
  return [...digits, ...letters, { id: 'vm-goodbye', formats }];
}
