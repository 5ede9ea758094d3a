/** What the table cannot say: how options must fit each other. */
import { BlockList, isIP } from 'node:net';
import { CHANNEL_NAMES } from '../../core/destination/channel.ts';
import { checkMessages } from '../../core/message/message-check.ts';
import { SIMULATOR } from '../../core/sending/carrier.ts';
import { formatDuration } from '../../core/verification/limits.ts';
import { type CarrierType, typeOf } from '../../options/carrier-type.ts';
import type { RuleFinding } from '../problem.ts';
import type { FindLookupFault } from '../table/lookup-options.ts';
import type { Config } from '../table/schema.ts';
import { checkAccounts } from './account-rules.ts';
import { checkAlerts, checkSmtp } from './alert-rules.ts';
import { checkBudgets } from './budget-rules.ts';
import { checkCertificate } from './certificate-rules.ts';
import { checkCleartext } from './cleartext-rules.ts';
import { findingOf } from './finding.ts';
import { checkGuard } from './guard-rules.ts';
import { checkHookChannels, checkHooks } from './hook-rules.ts';
import { checkLookups } from './lookup-rules.ts';
import { checkOidc } from './portal-rules.ts';
import { checkRegistrations } from './registration-rules.ts';
import { checkPrices, checkRoutes } from './route-rules.ts';
import { checkPresetKey, checkSecrets, checkSharedStore } from './secret-rules.ts';
import { checkSenders } from './sender-rules.ts';

type Rule = (
  config: Config,
  types: readonly CarrierType[],
  findLookupFault: FindLookupFault,
) => Iterable<RuleFinding>;

/** Rules with the parts of the configuration that they check. They run only if these parts could be read. */
const RULES: readonly (readonly [parts: readonly (keyof Config)[], rule: Rule])[] = [
  [['port', 'plain'], checkPorts],
  [['trustProxy'], checkProxies],
  [['webhooks'], checkPrivateNetworks],
  [['trustProxy', 'tls'], checkCertificate],
  [['secret', 'previousSecret', 'dataDir', 'store'], checkSecrets],
  [['store', 'secret'], checkSharedStore],
  [['bootstrap'], checkPresetKey],
  [['limits', 'retention'], checkRetention],
  [['accounts', 'limits'], checkAccounts],
  [['guard'], checkGuard],
  [['messages', 'code'], checkTexts],
  [['carriers', 'publicUrl', 'code'], checkCarriers],
  [['carriers'], checkSenders],
  [['carriers'], checkCleartext],
  [['carriers', 'routes', 'code'], checkRoutes],
  [['carriers', 'routes', 'messages'], checkRegistrations],
  [['carriers', 'currency', 'prices'], checkPrices],
  [['budgets'], checkBudgets],
  [['lookups'], checkLookups],
  [['portal'], checkOidc],
  [['hooks', 'messages'], checkHooks],
  [['hooks', 'routes'], checkHookChannels],
  [['smtp'], checkSmtp],
  [['alerts', 'smtp'], checkAlerts],
];

/** Everything that is wrong with the parts that could be read; `isSound` says which. */
export function checkRules(
  config: Config,
  types: readonly CarrierType[],
  findLookupFault: FindLookupFault,
  isSound: (part: keyof Config) => boolean,
): RuleFinding[] {
  return RULES.filter(([parts]) => parts.every(isSound)).flatMap(([, rule]) => [
    ...rule(config, types, findLookupFault),
  ]);
}

function* checkPorts({ port, plain }: Config): Generator<RuleFinding> {
  if (plain === undefined || port === 0 || plain.port !== port) return;
  yield {
    key: ['plain', 'port'],
    wrong: `is ${port}, the same as port`,
    expected: 'another port',
    fix: 'change one of the two',
  };
}

function checkProxies({ trustProxy }: Config): Iterable<RuleFinding> {
  return checkNetworks(['trustProxy'], trustProxy);
}

function checkPrivateNetworks({ webhooks }: Config): Iterable<RuleFinding> {
  return checkNetworks(['webhooks', 'privateNetworks'], webhooks.privateNetworks);
}

function* checkNetworks(
  list: readonly [string, ...string[]],
  networks: readonly string[],
): Generator<RuleFinding> {
  for (const [index, network] of networks.entries()) {
    if (!isNetwork(network)) {
      yield {
        key: [...list, index],
        wrong: `is ${JSON.stringify(network)}`,
        expected: 'an address or a network such as 10.0.0.0/8',
        fix: 'correct it; host names are not allowed',
      };
    }
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  new BlockList().addSubnet(address, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  return true;
}

function* checkRetention({ limits, retention }: Config): Generator<RuleFinding> {
  const longest = Math.max(...Object.values(limits).flatMap((list) => list.map((limit) => limit.windowMs)));
  if (retention.verifications >= longest) return;
  yield {
    key: ['retention', 'verifications'],
    wrong: `is ${formatDuration(retention.verifications)}, shorter than the longest window of limits`,
    expected: `at least ${formatDuration(longest)}`,
    fix: 'increase it, or shorten the window',
  };
}

function* checkTexts({ messages, code }: Config): Generator<RuleFinding> {
  for (const { level, key, detail } of checkMessages(messages, code.length)) {
    if (level === 'warning') continue;
    const [, expected] = /^Expected (.*)\.$/.exec(detail) ?? [];
    yield {
      key: ['messages', ...key.split('.')],
      wrong: expected === undefined ? detail : 'cannot be used',
      expected: expected ?? 'a valid text',
      fix: 'correct it or remove it',
    };
  }
}

function* checkCarriers(
  { carriers, publicUrl, code }: Config,
  types: readonly CarrierType[],
): Generator<RuleFinding> {
  for (const [name, options] of Object.entries(carriers)) {
    if (name === SIMULATOR && options.type !== SIMULATOR) {
      yield {
        key: ['carriers', name, 'type'],
        wrong: `is ${options.type}`,
        expected: 'simulator: the name is reserved for the simulator, which test keys need',
        fix: 'give the carrier another name',
      };
    }
    const type = typeOf(types, options);
    if (type.channelsOf(options).length === 0) {
      const groups = CHANNEL_NAMES.filter((channel) => Object.hasOwn(type.options.properties, channel));
      yield {
        key: ['carriers', name],
        wrong: `has neither ${groups.join(' nor ')}`,
        expected: 'at least one of them',
        fix: `add ${groups.map((channel) => `${channel}: { from: ... }`).join(' or ')}`,
      };
    }
    const fault = type.findFault?.(options, { publicUrl, code }) ?? null;
    if (fault !== null) yield findingOf(['carriers', name], fault);
  }
}
