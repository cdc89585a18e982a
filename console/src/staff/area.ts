import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { filters } from './filters';

const list = createRoute({
  getParentRoute: () => root, path: '/staff', validateSearch: readSearch(filters), component: lazyRouteComponent(() => import('./Members'), 'Members'),
});
const invitations = createRoute({
  getParentRoute: () => root, path: '/staff/invitations', validateSearch: readSearch([]), component: lazyRouteComponent(() => import('./Invitations'), 'Invitations'),
});
const rights = createRoute({
  getParentRoute: () => root, path: '/staff/roles', component: lazyRouteComponent(() => import('./Rights'), 'Rights'),
});
const one = createRoute({
  getParentRoute: () => root, path: '/staff/$id', component: lazyRouteComponent(() => import('./Member'), 'Member'),
});
const rules = createRoute({
  getParentRoute: () => root, path: '/rules', component: lazyRouteComponent(() => import('./Rules'), 'Rules'),
});

export const routes = [list, invitations, rights, one, rules] as const;

export const places: Place[] = [
  { name: 'staff.title', icon: 'people', to: '/staff', group: 'installation', needs: ['STAFF_READ'] },
  { name: 'rules.title', icon: 'shield', to: '/rules', group: 'installation', roles: ['ADMIN', 'AUDITOR'] },
];
