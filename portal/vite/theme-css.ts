import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { resolver, theme } from '../src/theme/theme.ts';

const ID = '/virtual-theme.css';

/** Mantine writes its variables into a style tag at run time, which our policy forbids. This writes them at build time. */
export function themeCss(): Plugin {
  return {
    name: 'theme-css',
    resolveId: (id) => (id === 'virtual:theme.css' ? ID : undefined),
    load(id) {
      if (id !== ID) return undefined;
      const merged = mergeMantineTheme(DEFAULT_THEME, theme);
      const common = defaultCssVariablesResolver(merged);
      const own = resolver(merged);
      return convertCssVariables(
        {
          variables: { ...common.variables, ...own.variables },
          light: { ...common.light, ...own.light },
          dark: { ...common.dark, ...own.dark },
        },
        ':root',
      );
    },
  };
}
