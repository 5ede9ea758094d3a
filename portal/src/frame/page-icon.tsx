/** One sign for each page, on a grid of 16 and in lines of the text's colour. */
const SIGNS = {
  overview: 'M2.5 13.5v-4M6.2 13.5v-7M9.8 13.5v-5M13.5 13.5v-11',
  verifications: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.4 8.2l1.9 1.8 3.3-3.7',
  carriers: 'M8 14V7.5M5.5 10a3.5 3.5 0 1 1 5 0M3.4 12.1a6.5 6.5 0 1 1 9.2 0',
  alerts: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8zM6.7 14.3h2.6',
  guard: 'M8 1.8l5 1.9v4c0 3.2-2.1 5.4-5 6.5-2.9-1.1-5-3.3-5-6.5v-4z',
  'do-not-send': 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4',
  handset: 'M5 1.8h6a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V2.8a1 1 0 0 1 1-1zM7.2 11.8h1.6',
  keys: 'M7.3 8.7l6.2-6.2M11.2 4.8l2 2M5.2 13.8a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  webhooks: 'M9.5 2.5h4v4M13.5 2.5L8 8M11.5 9.5v3a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h3',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.8 13.5c0-2.3 1.9-4 4.2-4s4.2 1.7 4.2 4M10.8 2.8a2.4 2.4 0 0 1 0 4.4M12 9.9c1.4.6 2.3 1.9 2.3 3.6',
  audit:
    'M4 2h8a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM5.7 5.5h4.6M5.7 8h4.6M5.7 10.5h2.6',
  'data-requests': 'M8 2v7M5.2 6.5L8 9.3l2.8-2.8M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2',
  settings:
    'M2.5 4.5h6M12 4.5h1.5M10.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM2.5 11.5H4M7.5 11.5h6M5.8 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
} as const;

export type SignedPage = keyof typeof SIGNS;

export function PageIcon({ of }: { readonly of: SignedPage }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={SIGNS[of]} />
    </svg>
  );
}
