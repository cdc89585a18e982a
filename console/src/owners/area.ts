import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { filters } from './filters';

// A dealer's and a provider's own people come to theirs by /own.
const house = ['ADMIN', 'OPERATOR', 'FINANCE', 'SUPPORT', 'AUDITOR', 'VIEWER'] as const;

const providers = createRoute({
  getParentRoute: () => root, path: '/providers', validateSearch: readSearch(filters), component: lazyRouteComponent(() => import('./Providers'), 'Providers'),
});
const provider = createRoute({
  getParentRoute: () => root, path: '/providers/$id', validateSearch: readSearch(filters), component: lazyRouteComponent(() => import('./Provider'), 'Provider'),
});
const dealers = createRoute({
  getParentRoute: () => root, path: '/dealers', validateSearch: readSearch(filters), component: lazyRouteComponent(() => import('./Dealers'), 'Dealers'),
});
const dealer = createRoute({
  getParentRoute: () => root, path: '/dealers/$id', validateSearch: readSearch(filters), component: lazyRouteComponent(() => import('./Dealer'), 'Dealer'),
});

export const routes = [providers, provider, dealers, dealer] as const;

export const places: Place[] = [
  { name: 'providers.title', icon: 'people', to: '/providers', group: 'owners', roles: house },
  { name: 'dealers.title', icon: 'person', to: '/dealers', group: 'owners', roles: house },
];
