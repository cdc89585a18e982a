import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../shell/root';

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('./Account'), 'Account'),
});

// The menu behind the member's name leads here.
export const routes = [account] as const;
