import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { filters, sorts } from './filters';

const list = createRoute({
  getParentRoute: () => root,
  path: '/transactions',
  validateSearch: readSearch(filters, sorts),
  component: lazyRouteComponent(() => import('./Screen'), 'List'),
});

const detail = createRoute({
  getParentRoute: () => root,
  path: '/transactions/$code',
  validateSearch: readSearch(filters, sorts), // those of the list that it was opened from
  component: lazyRouteComponent(() => import('./Detail'), 'Detail'),
});

export const routes = [list, detail] as const;

export const places: Place[] = [
  { name: 'nav.transactions', icon: 'list', to: '/transactions', group: 'work', needs: ['TRANSACTIONS_READ'] },
];
