// Which address shows which screen. What narrows a list is in the address, in words that can be read and sent to a colleague.
import { createRouter } from '@tanstack/react-router';
import { routes } from './areas';
import { Failed } from './shell/Failed';
import { Missing } from './shell/Missing';
import { root } from './shell/root';
import { Shell } from './shell/Shell';

root.update({ component: Shell, notFoundComponent: Missing, errorComponent: Failed });

export const router = createRouter({
  routeTree: root.addChildren(routes),
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
