import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { byProvider } from '../callbacks/filters';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { depositFilters, depositSorts, deskFilters } from './filters';
import { byDealer } from './pick';

const deposits = createRoute({
  getParentRoute: () => root,
  path: '/deposits',
  validateSearch: readSearch([...depositFilters, byProvider], depositSorts),
  component: lazyRouteComponent(() => import('./Deposits'), 'Deposits'),
});

const desk = createRoute({
  getParentRoute: () => root,
  path: '/desk',
  validateSearch: readSearch([...deskFilters, byDealer]),
  component: lazyRouteComponent(() => import('./Desk'), 'Desk'),
});

const payouts = createRoute({
  getParentRoute: () => root,
  path: '/payouts',
  validateSearch: readSearch([]),
  component: lazyRouteComponent(() => import('./Payouts'), 'Payouts'),
});

export const routes = [deposits, desk, payouts] as const;

export const places: Place[] = [
  { name: 'deciding.nav', icon: 'down_tray', to: '/deposits', group: 'work', needs: ['DEPOSITS_DECIDE'], badge: 'DEPOSITS' },
  { name: 'desk.nav', icon: 'send', to: '/desk', group: 'work', needs: ['WITHDRAWALS_DECIDE'], badge: 'WITHDRAWALS' },
  { name: 'payouts.nav', icon: 'moving', to: '/payouts', group: 'work', needs: ['WITHDRAWALS_DECIDE', 'PAYMENTS_REFUND'], roles: ['ADMIN', 'OPERATOR', 'FINANCE'], badge: 'PAYOUTS' },
];
