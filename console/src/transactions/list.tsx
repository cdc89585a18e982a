// The list of transactions.
import { defineList } from '../ui/list/list';
import { RowLink } from '../ui/list/ListScreen';
import { Moment } from '../ui/facts';
import { Method, Money } from './parts';
import { Status } from './Status';
import { asFilter, filters, searchOf, sorts } from './filters';
import { TransactionsChangedDocument, TransactionsDocument, type TransactionFilter, type TransactionSort } from './transactions.generated';

export const transactions = defineList({
  title: 'transactions.title',
  path: '/transactions',
  filters,
  sorts,
  operation: TransactionsDocument,
  variables: (s, page, zone) => ({ filter: asFilter(s, zone), sort: (s['sort'] ?? sorts.first) as TransactionSort, ...page }),
  page: (result) => result.transactions,
  keyOf: (row) => row.trackingCode,
  rowPath: (row) => `/transactions/${row.trackingCode}`,
  live: { operation: TransactionsChangedDocument, variables: (s, zone) => ({ filter: asFilter(s, zone) }) },
  none: 'transactions.none',
  views: { list: 'TRANSACTIONS', filterOf: asFilter, searchOf: (filter, zone) => searchOf(filter as TransactionFilter, zone) },
  className: 'transactions',
  columns: [
    { name: 'transactions.status', className: 'cell-status', cell: (row) => <Status status={row.status} isOverdue={row.isOverdue} /> },
    { name: 'transactions.amount', className: 'number cell-amount', cell: (row) => <Money of={row} /> },
    {
      name: 'transactions.customer', className: 'cell-customer',
      cell: (row) => <><b>{row.customer.fullname}</b> <span className="second muted">{row.customer.username}</span></>,
    },
    { name: 'transactions.method', className: 'cell-method', cell: (row) => <Method of={row.method} /> },
    {
      name: 'transactions.owner', className: 'cell-owner',
      cell: (row) => (
        <>
          <span className="second">{row.provider?.name ?? row.dealer?.name}</span>
          {row.site && <span className="second muted">{row.site.name}</span>}
        </>
      ),
    },
    { name: 'transactions.created', className: 'cell-created', cell: (row) => <Moment at={row.createdAt} /> },
    { name: 'transactions.code', className: 'cell-code', cell: (row) => <RowLink>{row.trackingCode}</RowLink> },
  ],
});
