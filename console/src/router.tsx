// Which address shows which screen. What narrows a list is in the address, in words that can be read and sent to a colleague.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Failed } from './shell/Failed';
import { Shell } from './shell/Shell';
import { Missing } from './shell/Missing';
import { readFilters } from './transactions/filters';

// What is loaded when it is opened.
const screens = {
  list: () => import('./transactions/List'),
  detail: () => import('./transactions/Detail'),
};

/** warm loads the screens while nobody waits for them: a lost connection then shows a screen that says so. */
export function warm() {
  for (const load of Object.values(screens)) void load().catch(() => undefined); // opening the screen tries again
}

const root = createRootRoute({ component: Shell, notFoundComponent: Missing, errorComponent: Failed });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => { throw redirect({ to: '/transactions', search: {}, replace: true }); },
});

const transactions = createRoute({
  getParentRoute: () => root,
  path: '/transactions',
  validateSearch: readFilters,
  component: lazyRouteComponent(screens.list, 'List'),
});

const transaction = createRoute({
  getParentRoute: () => root,
  path: '/transactions/$code',
  validateSearch: readFilters, // those of the list that it was opened from
  component: lazyRouteComponent(screens.detail, 'Detail'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, transactions, transaction]),
  basepath: '/console',
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text.replaceAll('%2C', ',')}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
