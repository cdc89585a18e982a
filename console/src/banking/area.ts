import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';
import { readSearch } from '../ui/list/filters';
import { approvalFilters, customerFilters, discrepancyFilters, lineFilters, readFigures, readWalletFilters, walletFilters } from './filters';

const lines = createRoute({
  getParentRoute: () => root, path: '/bank-lines', validateSearch: readSearch(lineFilters),
  component: lazyRouteComponent(() => import('./BankLines'), 'BankLines'),
});
const approvals = createRoute({
  getParentRoute: () => root, path: '/approvals', validateSearch: readSearch(approvalFilters),
  component: lazyRouteComponent(() => import('./Approvals'), 'Approvals'),
});
// Where what waits for a second person leads to.
const approval = createRoute({
  getParentRoute: () => root, path: '/approvals/$id', component: lazyRouteComponent(() => import('./Approvals'), 'OneApproval'),
});
const discrepancies = createRoute({
  getParentRoute: () => root, path: '/discrepancies', validateSearch: readSearch(discrepancyFilters),
  component: lazyRouteComponent(() => import('./Discrepancies'), 'Discrepancies'),
});
const wallets = createRoute({
  getParentRoute: () => root, path: '/wallets', validateSearch: readSearch(walletFilters), component: lazyRouteComponent(() => import('./Wallets'), 'Wallets'),
});
const wallet = createRoute({
  getParentRoute: () => root, path: '/wallets/$id', validateSearch: readWalletFilters,
  component: lazyRouteComponent(() => import('./Wallets'), 'WalletDays'),
});
const customers = createRoute({
  getParentRoute: () => root, path: '/customers', validateSearch: readSearch(customerFilters),
  component: lazyRouteComponent(() => import('./Customers'), 'Customers'),
});
const customer = createRoute({
  getParentRoute: () => root, path: '/customers/$provider/$user', component: lazyRouteComponent(() => import('./Customers'), 'Customer'),
});
const statistics = createRoute({
  getParentRoute: () => root, path: '/statistics', validateSearch: readFigures,
  component: lazyRouteComponent(() => import('./Statistics'), 'Statistics'),
});

export const routes = [lines, approvals, approval, discrepancies, wallets, wallet, customers, customer, statistics] as const;

export const places: Place[] = [
  { name: 'banking.lines', icon: 'bank', to: '/bank-lines', group: 'work', needs: ['WALLETS_READ'], badge: 'BANK_LINES' },
  { name: 'banking.approvals', icon: 'shield', to: '/approvals', group: 'work', needs: ['APPROVALS_READ'], badge: 'APPROVALS' },
  { name: 'banking.discrepancies', icon: 'warning', to: '/discrepancies', group: 'money', needs: ['DISCREPANCIES_RESOLVE'], badge: 'DISCREPANCIES' },
  { name: 'banking.wallets', icon: 'wallet', to: '/wallets', group: 'money', needs: ['WALLETS_READ'] },
  { name: 'banking.customers', icon: 'person', to: '/customers', group: 'work', needs: ['CUSTOMERS_READ'] },
  { name: 'banking.statistics', icon: 'chart', to: '/statistics', group: 'money', needs: ['STATISTICS_READ'] },
];
