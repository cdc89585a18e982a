import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { filters } from './filters';

const one = createRoute({
  getParentRoute: () => root, path: '/restore', validateSearch: readSearch(filters), component: lazyRouteComponent(() => import('./Restore'), 'Restore'),
});

export const routes = [one] as const;

export const places: Place[] = [
  { name: 'restore.title', icon: 'back', to: '/restore', group: 'installation', needs: ['WALLETS_ADJUST'], isOfRestore: true },
];
