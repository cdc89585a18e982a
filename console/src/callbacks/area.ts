import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { byOwner, filters } from './filters';

const list = createRoute({
  getParentRoute: () => root,
  path: '/callbacks',
  validateSearch: readSearch([...filters, ...byOwner.PROVIDERS_READ, ...byOwner.DEALERS_READ]),
  component: lazyRouteComponent(() => import('./Callbacks'), 'Callbacks'),
});

export const routes = [list] as const;

export const places: Place[] = [
  { name: 'nav.callbacks', icon: 'bell', to: '/callbacks', group: 'work', needs: ['TRANSACTIONS_READ'], badge: 'CALLBACKS' },
];
