import './app.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Refusal } from './api/client';
import { routes } from './areas';
import { router } from './router';
import { loadWords, WordsProvider } from './words/words';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What has not arrived is asked for until it has: a lost connection mends itself.
      retry: (failures, error) => error instanceof Refusal && error.isPassing && (error.code === 'UNREACHABLE' || failures < 3),
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
      networkMode: 'always', // the browser's own opinion of the network is not asked: Vezne's answers count
      refetchOnReconnect: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

const root = document.getElementById('app');
if (!root) throw new Error('the page has no element for the app');
const words = await loadWords();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <WordsProvider first={words}>
        <RouterProvider router={router} />
      </WordsProvider>
    </QueryClientProvider>
  </StrictMode>,
);

// The screens are loaded while nobody waits for them: a lost connection then shows a screen that says so.
function warm() {
  for (const { options: { component } } of routes) {
    if (component && 'preload' in component) void component.preload?.()?.catch(() => undefined); // opening the screen tries again
  }
}
if (document.readyState === 'complete') warm(); // the words may have come later than all else
else addEventListener('load', warm, { once: true });
