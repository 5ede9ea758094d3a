import './styles.ts';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/problem.ts';
import { App } from './app.tsx';
import { PageNotLoaded } from './frame/broken/lazy-page.tsx';
import { ToastProvider } from './parts/toast.tsx';
import { themeOfParts } from './theme/parts.ts';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal will not change; a call that got no answer may get one next time.
      retry: (failures, error) => !(error instanceof Problem) && failures < 2,
    },
  },
});
const schemes = localStorageColorSchemeManager({ key: 'countersign-scheme' });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
const options = {
  // The page itself says that it did not load, and the console has the failed request.
  onCaughtError: (error: unknown) => {
    if (!(error instanceof PageNotLoaded)) console.error(error);
  },
};
createRoot(root, options).render(
  <StrictMode>
    {/* All styles are files (vite/theme-css.ts): the policy allows no style tags. */}
    <MantineProvider
      theme={themeOfParts}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      <QueryClientProvider client={client}>
        <ToastProvider>
          <App />
        </ToastProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
