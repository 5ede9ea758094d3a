/** The guides in the order in which a newcomer reads them. Decisions (`adr/`) are led to by the guides that rest on them. */
import type { Guide, Library } from './guides.ts';

interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

export const groupGuides = ({ guides }: Library): GuideGroup[] =>
  GUIDE_GROUPS.map(({ title, names }) => ({
    title,
    guides: names.flatMap((name) => guides.get(name) ?? []),
  }));

/** Files below docs/, without their ending. */
export const GUIDE_GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  {
    title: 'Start',
    names: [
      'choosing',
      'recipes/README',
      'api',
      'portal',
      'keys',
      'accounts-as-code',
      'configuration',
      'troubleshooting',
      'glossary',
    ],
  },
  {
    title: 'Sending',
    names: [
      'carriers',
      'routing',
      'destinations',
      'voice',
      'flashcall',
      'rcs',
      'lookups',
      'budgets',
      'guard',
      'do-not-send',
    ],
  },
  {
    title: 'Operating',
    names: [
      ...['deployment', 'proxies', 'operations', 'backup', 'alerts', 'tracing', 'postgresql'],
      'high-availability',
    ],
  },
  { title: 'Security and law', names: ['personal-data', 'audit-log', 'law'] },
  {
    title: 'Integrations',
    names: [
      ...[
        'webhooks',
        'recipes/express',
        'recipes/hono',
        'recipes/nextjs',
        'recipes/authjs',
        'recipes/better-auth',
      ],
      ...[
        'twilio',
        'camara',
        'recipes/from-twilio-verify',
        'recipes/from-otpgateway',
        'hooks',
        'recipes/auth0',
      ],
      ...['recipes/authentik', 'recipes/keycloak', 'recipes/kratos', 'recipes/supabase', 'recipes/gateways'],
    ],
  },
  { title: 'The project', names: ['world', 'benchmarks', 'dependencies'] },
];
