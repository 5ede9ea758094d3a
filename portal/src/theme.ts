import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** One accent, in shades that white text is readable on (WCAG AA) in both schemes. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  colors: {
    dark: [
      '#dfe3e8',
      '#c1c8d0',
      '#a2aab4',
      '#8f98a3',
      '#454b54',
      '#343941',
      '#22262c',
      '#16181c',
      '#121417',
      '#0d0e11',
    ],
  },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  headings: { fontWeight: '600' },
  components: {
    // Lines within a table are those around it.
    Table: { defaultProps: { borderColor: 'var(--app-line)' } },
    // As it is written, and never cut off in a narrow column.
    Badge: { defaultProps: { tt: 'none', fw: 600, miw: 'max-content' } },
  },
});

/** Mantine's own greys and reds miss the contrast of WCAG AA for small text. */
export const resolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-text': '#1c1f24',
    '--mantine-color-dimmed': '#5a626b',
    '--mantine-color-placeholder': '#6b737c',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-green-light-color': '#216e30',
    '--mantine-color-yellow-light-color': '#8a5300',
    '--mantine-color-gray-light-color': '#495057',
    // A notice is seen without being louder than the page.
    '--mantine-color-yellow-light': '#fff9db',
    '--app-line': '#e3e6ea',
    '--app-surface': '#f7f8fa',
    '--app-muted': '#8b94a0',
    '--app-second': '#495057',
    '--app-bezel': '#343a40',
    '--app-faint': '#adb5bd',
    '--app-good': '#2b8a3e',
    '--app-bad': '#c92a2a',
    '--app-land': '#e9ecef',
    '--app-heat-0': '#ffc078',
    '--app-heat-1': '#ffe8cc',
    '--app-heat-2': '#d0ebff',
    '--app-heat-3': '#74c0fc',
  },
  dark: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-yellow-light': '#2e2816',
    '--mantine-color-yellow-light-color': '#ffd43b',
    '--app-line': '#2d3138',
    '--app-surface': '#1d2025',
    '--app-muted': '#7d8692',
    '--app-second': '#c1c8d0',
    '--app-bezel': '#3d434c',
    '--app-faint': '#545c67',
    '--app-good': '#51cf66',
    '--app-bad': '#ff8787',
    '--app-land': '#2d3138',
    '--app-heat-0': '#8a4b0f',
    '--app-heat-1': '#4a3018',
    '--app-heat-2': '#1b3a52',
    '--app-heat-3': '#1c5b8a',
  },
});
