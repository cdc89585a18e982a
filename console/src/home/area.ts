import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./Home'), 'Home'),
});

export const routes = [home] as const;

export const places: Place[] = [{ name: 'nav.home', icon: 'home', to: '/' }];
