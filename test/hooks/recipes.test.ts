/** The recipes: their files are taken from the pages, filled as each system fills them, and sent to a service. */
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { parse } from 'yaml';
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { freshNumber } from '../acceptance/client.ts';
import { readProjectFile } from '../deploy/project.ts';
import { type Service, startService } from '../service.ts';

const PAGES = ['supabase', 'kratos', 'keycloak', 'authentik'] as const;
type Page = (typeof PAGES)[number];

const { key } = mintKey(SYSTEM_RANDOM, true);
const secret = `v1,whsec_${randomBytes(32).toString('base64')}`;

/** The fenced block whose first line is a comment with this name; without its secrets, which the page leaves out. */
function fileOf(page: Page, name: string): string {
  const blocks = readProjectFile(`docs/recipes/${page}.md`).matchAll(
    /^```\w+\n(?:\/\/|#) (\S+)\n([\s\S]*?)^```$/gm,
  );
  const [, , text] = Array.from(blocks).find(([, file]) => file === name) ?? [];
  assert.ok(text !== undefined, `${page} has ${name}`);
  return fill(text);
}

const fill = (text: string) => text.replace('csk_live_...', key).replace('v1,whsec_...', secret);

/** Of an address that a page gives, what the service answers below. */
const pathOf = (url: string) => {
  const { origin, pathname } = new URL(url);
  assert.equal(origin, 'https://verify.example.com');
  return pathname;
};

/** The text at a path in what was parsed. */
function textIn(tree: unknown, ...path: readonly (string | number)[]): string {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    tree,
  );
  assert.equal(typeof found, 'string', path.join('.'));
  return String(found);
}

suite('recipes', () => {
  let service: Service;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-recipes-'));
    await writeFile(join(folder, 'hook-key'), `${key}\n`);
    await writeFile(join(folder, 'hook-secret'), `${secret}\n`);
    const configs = PAGES.map((page) => fileOf(page, 'countersign.yaml').replaceAll('/run/secrets', folder));
    const hooks: object = Object.assign({}, ...configs.map((text) => parse(text).hooks));
    service = await startService({ presetKey: key, config: { hooks } });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Sends it, and finds the very code in the simulator. */
  async function expectSent(
    number: string,
    code: string,
    { url, body, headers }: { url: string; body: string; headers: Record<string, string> },
  ) {
    const answer = await service.client.post(pathOf(url), undefined, { key: null, raw: body, headers });
    assert.equal(answer.status, 200, answer.text);
    const message = await service.client.message(number, answer.json.id ?? '');
    assert.equal(message.code, code);
  }

  const fresh = () => ({ number: freshNumber(), code: String(randomInt(1e5, 1e6)) });
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  test('Supabase signs with the secret of its environment', async () => {
    const env = Object.fromEntries(
      fileOf('supabase', '.env')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    assert.equal(env.GOTRUE_HOOK_SEND_SMS_ENABLED, 'true');
    const { number, code } = fresh();
    const body = JSON.stringify({
      user: { phone: number.slice(1) },
      sms: { otp: code, phone: number.slice(1) },
    });
    const at = new Date();
    const [version, whsec = ''] = String(env.GOTRUE_HOOK_SEND_SMS_SECRETS).split(/,(.*)/s);
    assert.equal(version, 'v1');
    await expectSent(number, code, {
      url: String(env.GOTRUE_HOOK_SEND_SMS_URI),
      body,
      headers: {
        'webhook-id': 'a5c1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(whsec).sign('a5c1', at, body),
      },
    });
  });

  /**
   * Jsonnet means what JavaScript does in all that the page uses, but for three forms: `function(x) y`, `local`, and
   * `[y for x in z if w]`.
   */
  function runJsonnet(source: string, ctx: object): string {
    const script = source
      .replace('function(ctx)', '')
      .replaceAll(/local (\w+) = (.*);/g, 'var $1 = $2;')
      .replaceAll(
        /\[(\S+) for (\w+) in (\w+) if ([^\]]*? in \w+)\]/g,
        '$3.filter(($2) => $4).map(($2) => $1)',
      )
      .replace(/\n {2}\{/, '\n  result = {');
    return JSON.stringify(runInNewContext(`${script}\nresult`, { ctx, result: undefined }));
  }

  test('Kratos fills the Jsonnet for each kind of code', async () => {
    const config: unknown = parse(fileOf('kratos', 'kratos.yml'));
    const ofRequest = (...path: string[]) =>
      textIn(config, 'courier', 'channels', 0, 'request_config', ...path);
    assert.deepEqual([ofRequest('method'), ofRequest('auth', 'type')], ['POST', 'basic_auth']);
    assert.match(ofRequest('body'), /\/sms\.jsonnet$/);
    const jsonnet = fileOf('kratos', 'sms.jsonnet');
    for (const kind of ['login', 'verification', 'recovery', 'registration']) {
      const { number, code } = fresh();
      const ctx = {
        recipient: number,
        subject: '',
        body: `Your ${kind} code is: ${code}`,
        template_type: `${kind}_code_valid`,
        template_data: {
          to: number,
          [`${kind}_code`]: code,
          identity: {},
          request_url: '',
          expires_in_minutes: 60,
        },
        message_type: 'sms',
      };
      await expectSent(number, code, {
        url: ofRequest('url'),
        body: runJsonnet(jsonnet, ctx),
        headers: {
          'content-type': ofRequest('headers', 'Content-Type'),
          authorization: basic(ofRequest('auth', 'config', 'user'), ofRequest('auth', 'config', 'password')),
        },
      });
    }
  });

  test('Keycloak’s plugin fills its template with its own text, and with that of the page', async () => {
    const [, json = ''] =
      /^```json\n([\s\S]*?)^```$/m.exec(readProjectFile('docs/recipes/keycloak.md')) ?? [];
    const config: unknown = JSON.parse(fill(json));
    const setting = (name: string) => textIn(config, 'config', name);
    const [, text = ''] = /^smsAuthText=(.*)$/m.exec(fileOf('keycloak', 'messages_en.properties')) ?? [];
    // messages_en.properties of the plugin.
    for (const format of ['Your SMS code is %1$s and is valid for %2$d minutes.', text]) {
      const { number, code } = fresh();
      const message = format.replace('%1$s', code).replace('%2$d', '5');
      // Java's String.format fills the places in their order.
      const values = [number, message];
      const body = setting('jsonTemplate').replaceAll('%s', () => values.shift() ?? '');
      await expectSent(number, code, {
        url: setting('apiurl'),
        body,
        headers: {
          'content-type': 'application/json',
          authorization: basic(setting('apiuser'), setting('apitoken')),
        },
      });
    }
  });

  test('authentik sends what its stage is told', async () => {
    const blueprint: unknown = parse(fileOf('authentik', 'blueprint.yaml'));
    const attribute = (name: string) => textIn(blueprint, 'entries', 0, 'attrs', name);
    assert.deepEqual([attribute('provider'), attribute('auth_type')], ['generic', 'bearer']);
    const { number, code } = fresh();
    const message = `Use this code to authenticate in authentik: ${code}`;
    await expectSent(number, code, {
      url: attribute('account_sid'),
      body: JSON.stringify({ From: attribute('from_number'), To: number, Body: code, Message: message }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${attribute('auth')}` },
    });
  });
});
