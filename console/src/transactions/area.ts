import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { byProvider } from '../callbacks/filters';
import { filters, sorts } from './filters';

const search = readSearch([...filters, byProvider], sorts);

const list = createRoute({
  getParentRoute: () => root,
  path: '/transactions',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./Screen'), 'List'),
});

const detail = createRoute({
  getParentRoute: () => root,
  path: '/transactions/$code',
  validateSearch: search, // those of the list that it was opened from
  component: lazyRouteComponent(() => import('./Detail'), 'Detail'),
});

export const routes = [list, detail] as const;

export const places: Place[] = [
  { name: 'nav.transactions', icon: 'list', to: '/transactions', group: 'work', needs: ['TRANSACTIONS_READ'] },
];
