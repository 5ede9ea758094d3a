/** How Mantine's parts look here. Apart from the theme, because the build reads that without any CSS. */
import { createTheme, mergeThemeOverrides } from '@mantine/core';
import css from './parts.module.css';
import { theme } from './theme.ts';

export const themeOfParts = mergeThemeOverrides(
  theme,
  createTheme({
    components: {
      Alert: { defaultProps: { radius: 'md' }, classNames: { root: css.alert, title: css.alertTitle } },
      // As it is written, and never cut off in a narrow column.
      Badge: { defaultProps: { tt: 'none', fw: 500, miw: 'max-content' }, classNames: { root: css.badge } },
      Button: { classNames: { root: css.button } },
      Checkbox: { classNames: { label: css.tickLabel } },
      Code: { classNames: { root: css.code } },
      Input: { classNames: { wrapper: css.field, input: css.input } },
      InputWrapper: {
        // A field stands between its label and the text about it.
        defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
        classNames: { label: css.label, description: css.about, error: css.about },
      },
      Pill: { classNames: { root: css.pill } },
      // Lines within a table are those around it.
      Table: {
        defaultProps: { borderColor: 'var(--app-line)', horizontalSpacing: 'sm', highlightOnHover: true },
        classNames: { table: css.table, th: css.th },
      },
      Title: { classNames: { root: css.title } },
    },
  }),
);
