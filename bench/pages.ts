/** How every page of the portal looks and loads on a company's year of traffic, and a picture of each if a folder is named. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../test/browser/rig/chromium.ts';
import { openCompany } from './company/folder.ts';
import { type Look, lookAt, type View } from './company/look.ts';
import { findPages } from './company/pages.ts';
import { type Portal, WIDE } from './company/window.ts';
import { format, type Row, type Section } from './figures.ts';
import type { Phones } from './peers/phones.ts';
import { startService } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';

/** Enough that every list is long, and made within a minute. */
export const PAGES_ROWS = 400_000;
const RETENTION = { verifications: 400, events: 400 };
const MOST_SHIFT = 0.1;
const MOST_HEIGHT = 2_500;
const DEADLINE_MS = 15 * 60_000;

const VIEWS: readonly View[] = [
  { name: '1440-light', options: { viewport: WIDE, colorScheme: 'light' } },
  { name: '1440-dark', options: { viewport: WIDE, colorScheme: 'dark' } },
  {
    name: '390',
    options: {
      viewport: { width: 390, height: 844 },
      colorScheme: 'light',
      ...{ isMobile: true, hasTouch: true },
    },
  },
];

/** Those that no link of the navigation leads to. */
const OF_A_PERSON = { 'add an account': '/portal/new-account', 'not found': '/portal/nowhere' };
const BEFORE_SIGN_IN = {
  'sign-in': '/portal/sign-in',
  setup: '/portal/setup#token',
  reset: '/portal/reset#token',
  invitation: '/portal/invitation#token',
};

export async function* measureLooks(
  place: Workplace,
  phones: Phones,
  {
    cache,
    rows,
    pictures,
  }: { readonly cache: string; readonly rows: number; readonly pictures?: string | undefined },
): AsyncGenerator<Section> {
  const start = (folder: string, config: object) => startService(place, phones, folder, config);
  const { folder, config, cookie, accountId } = await openCompany(cache, rows, RETENTION, phones, start);
  const service = await start(folder, config);
  const chromium = await launchChromium();
  const deadline = performance.now() + DEADLINE_MS;
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  try {
    const baseUrl = `https://localhost:${service.target.port}`;
    const portal: Portal = { chromium, baseUrl, cookie, accountId };
    const stranger: Portal = { ...portal, cookie: '' };
    const found = Object.fromEntries(await findPages(portal));
    const places = [
      ...Object.entries({ ...found, ...OF_A_PERSON }).map((page) => [portal, ...page] as const),
      ...Object.entries(BEFORE_SIGN_IN).map((page) => [stranger, ...page] as const),
    ];
    for (const view of VIEWS) {
      const looks = new Map<string, Look>();
      for (const [visitor, name, address] of places) {
        if (performance.now() > deadline) throw new Error('the pages took too long');
        const picture = pictures && join(pictures, `${name.replaceAll(' ', '-')}-${view.name}.png`);
        looks.set(name, await lookAt(visitor, address, view, picture));
      }
      const title = `the portal's pages on a company's year with ${format(rows, 0)} verifications, ${view.name}`;
      yield { title, rows: [...looks].map(([name, look]) => rowOf(name, look, view)) };
      const faults = [...looks].flatMap(([name, look]) => faultsOf(name, look));
      if (faults.length > 0) yield { title: `what is wrong with them, ${view.name}`, rows: faults };
    }
  } finally {
    await chromium.close();
    await service.stop();
  }
}

function rowOf(name: string, look: Look, { options }: View): Row {
  const shift = sumOf(look);
  const { height, overflow, paintMs, shown, again, requests, wire, decoded, violations, misfits } = look;
  const isWide = options.viewport === WIDE;
  const note = [
    `shift ${format(shift, 3)}`,
    `paint ${format(paintMs, 0).padStart(5)} ms`,
    `content ${format(shown.first, 0).padStart(5)} ms`,
    `all ${format(shown.whole, 0).padStart(5)} ms`,
    `content again ${format(again.first, 0).padStart(5)} ms`,
    `${format(requests, 0).padStart(3)} requests`,
    `API ${kilobytes(wire)} KB of ${kilobytes(decoded)} KB`,
    `axe ${violations.length}`,
    `misfits ${misfits.length}`,
    `overflow ${overflow} px`,
  ];
  return {
    figure: name,
    value: `${format(height, 0)} px`,
    note: note.join('  '),
    target: `shift < ${MOST_SHIFT}, no fault${isWide ? `, <= ${format(MOST_HEIGHT, 0)} px` : ''}`,
    met:
      shift < MOST_SHIFT &&
      overflow === 0 &&
      violations.length + misfits.length === 0 &&
      (!isWide || height <= MOST_HEIGHT),
  };
}

const kilobytes = (bytes: number): string => format(bytes / 1_000, 1).padStart(6);

const sumOf = ({ shifts }: Look): number => shifts.reduce((sum, { value }) => sum + value, 0);

function faultsOf(name: string, look: Look): Row[] {
  const { shifts, violations, misfits } = look;
  const moved = sumOf(look) < MOST_SHIFT ? [] : shifts.slice(0, 3);
  return [
    ...moved.map(({ value, by }) => ({ figure: name, value: `moved ${format(value, 3)}`, note: by })),
    ...violations.map((note) => ({ figure: name, value: 'axe', note: note.slice(0, 300) })),
    ...misfits.map((note) => ({ figure: name, value: 'misfit', note: note.slice(0, 200) })),
  ];
}
