import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { filters } from './filters';

const list = createRoute({
  getParentRoute: () => root, path: '/audit', validateSearch: readSearch(filters), component: lazyRouteComponent(() => import('./Audit'), 'Audit'),
});

export const routes = [list] as const;

export const places: Place[] = [
  { name: 'audit.title', icon: 'book', to: '/audit', group: 'installation', needs: ['AUDIT_READ'] },
];
