import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';

const own = createRoute({ getParentRoute: () => root, path: '/own', component: lazyRouteComponent(() => import('./Own'), 'Own') });

export const routes = [own] as const;

export const places: Place[] = [
  { name: 'own.nav', icon: 'gear', to: '/own', group: 'owners', roles: ['DEALER', 'DEALER_MANAGER', 'PROVIDER', 'PROVIDER_MANAGER'] },
];
