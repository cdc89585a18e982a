import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/try',
  component: lazyRouteComponent(() => import('./Try'), 'Try'),
});

export const routes = [jobs] as const;

export const places: Place[] = [{ name: 'try.title', icon: 'star', to: '/try', isOfDemo: true }];
