// All gateway accounts, and which of them fail.
import { getRouteApi, Link } from '@tanstack/react-router';
import { useHouse } from '../shell/house';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { whole } from '../ui/list/whole';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { GatewaysDocument, type GatewaysQuery } from './gateways.generated';
import { isFailing, LastAnswer, Share, Strip, sumOf, useBounds, week, Working, type Ended } from './parts';

type Row = NonNullable<GatewaysQuery['gatewayAccounts']>[number] & { week: Ended };

// What needs somebody first: trouble and failures, then what works, then what is off.
const rank = (row: Row) => (!row.isEnabled ? 3 : row.trouble !== null ? 0 : row.health.isFailing || isFailing(row.week) ? 1 : 2);

/** rowsOf puts beside each gateway how its payments ended. */
function rowsOf({ gatewayAccounts, statistics }: GatewaysQuery): Row[] | undefined {
  return gatewayAccounts?.map((account) => ({ ...account, week: sumOf(statistics?.rows.filter((r) => r.gateway?.id === account.id)) }));
}

const gateways = defineList({
  title: 'gateways.title',
  path: '/gateways',
  filters: [],
  operation: GatewaysDocument,
  variables: week,
  page: (result) => whole(rowsOf(result)?.toSorted((a, b) => rank(a) - rank(b) || a.priority - b.priority)),
  keyOf: (row) => row.id,
  rowPath: (row) => `/gateways/${row.id}`,
  none: 'gateways.none',
  columns: [
    { name: 'gateways.name', className: 'cell-name', cell: (row) => <><RowLink>{row.name}</RowLink><span className="second muted">{row.code}</span></> },
    { name: 'gateways.state', cell: (row) => <Working of={row} /> },
    { name: 'gateways.week', className: 'number', cell: (row) => <Share of={row.week} /> },
    { name: 'gateways.health', cell: (row) => <Strip calls={row.health.calls} failed={row.health.failedCount} count={row.health.callCount} /> },
    { name: 'gateways.lastOk', cell: (row) => <LastAnswer at={row.health.lastOkAt} /> },
    { name: 'gateways.limits', cell: (row) => <Bounds of={row} /> },
    { name: 'gateways.environment', cell: (row) => <Environment of={row} /> },
    { name: 'gateways.order', cell: (row) => <Order of={row} /> },
  ],
});

export function Gateways() {
  const { say } = useWords();
  const { may } = useHouse();
  return (
    <ListScreen list={gateways} search={getRouteApi('/gateways').useSearch()} actions={may({ needs: ['GATEWAYS_EDIT'] }) && (
      <Link to="/gateways/new" className="button primary"><Icon name="plus" />{say('gateways.new')}</Link>
    )} />
  );
}

function Bounds({ of }: { of: Row }) {
  return <>{useBounds()(of.min, of.max)}</>;
}

function Environment({ of }: { of: Row }) {
  const { label } = useHouse();
  return <>{label('GatewayEnvironment', of.environment)}</>;
}

function Order({ of }: { of: Row }) {
  const { say } = useWords();
  return <>{say('gateways.orderOf', { priority: of.priority, weight: of.weight })}</>;
}
