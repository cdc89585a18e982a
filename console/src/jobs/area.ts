import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { filters } from './filters';

const list = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  validateSearch: readSearch(filters),
  component: lazyRouteComponent(() => import('./Jobs'), 'Jobs'),
});

export const routes = [list] as const;

export const places: Place[] = [
  { name: 'nav.jobs', icon: 'file', to: '/jobs', group: 'work', needs: ['TRANSACTIONS_READ'] },
];
