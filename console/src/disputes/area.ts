import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { byGateway, filters, sorts } from './filters';

const list = createRoute({
  getParentRoute: () => root, path: '/disputes', validateSearch: readSearch([...filters, byGateway], sorts),
  component: lazyRouteComponent(() => import('./Disputes'), 'Disputes'),
});

export const routes = [list] as const;

export const places: Place[] = [
  { name: 'disputes.title', icon: 'back', to: '/disputes', group: 'money', needs: ['TRANSACTIONS_READ'], badge: 'DISPUTES' },
];
