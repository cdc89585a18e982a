import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { supposed } from './filters';

const list = createRoute({
  getParentRoute: () => root, path: '/gateways', validateSearch: readSearch([]), component: lazyRouteComponent(() => import('./Gateways'), 'Gateways'),
});
const fresh = createRoute({
  getParentRoute: () => root, path: '/gateways/new', component: lazyRouteComponent(() => import('./GatewayForm'), 'NewGateway'),
});
const one = createRoute({
  getParentRoute: () => root, path: '/gateways/$id', component: lazyRouteComponent(() => import('./Gateway'), 'Gateway'),
});
const edit = createRoute({
  getParentRoute: () => root, path: '/gateways/$id/edit', component: lazyRouteComponent(() => import('./GatewayForm'), 'EditGateway'),
});
const rules = createRoute({
  getParentRoute: () => root, path: '/routes', validateSearch: readSearch([]), component: lazyRouteComponent(() => import('./Routes'), 'Routes'),
});
const who = createRoute({
  getParentRoute: () => root, path: '/routes/who', validateSearch: readSearch(supposed), component: lazyRouteComponent(() => import('./Who'), 'Who'),
});

export const routes = [list, fresh, one, edit, rules, who] as const;

export const places: Place[] = [
  { name: 'gateways.title', icon: 'moving', to: '/gateways', group: 'installation', needs: ['GATEWAYS_READ'], badge: 'GATEWAYS' },
  { name: 'routes.title', icon: 'route', to: '/routes', group: 'installation', needs: ['GATEWAYS_READ'] },
];
