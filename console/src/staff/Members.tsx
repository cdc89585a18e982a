// All who work in the back office.
import { getRouteApi, Link } from '@tanstack/react-router';
import { useHouse } from '../shell/house';
import { Tag } from '../ui/facts';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { filterOf, filters, searchOf } from './filters';
import { Invite } from './Invite';
import { MembersDocument, type MembersQuery } from './staff.generated';

type Row = NonNullable<MembersQuery['staff']>['nodes'][number];

const members = defineList({
  title: 'staff.title',
  path: '/staff',
  filters,
  operation: MembersDocument,
  variables: (s, page) => ({ filter: filterOf(s), ...page }),
  page: (result) => result.staff,
  keyOf: (row) => row.id,
  rowPath: (row) => `/staff/${row.id}`,
  none: 'staff.none',
  views: { list: 'STAFF', filterOf, searchOf },
  columns: [
    { name: 'staff.who', className: 'cell-name', cell: (row) => <><RowLink>{row.profile?.name ?? row.email}</RowLink>{row.profile?.name && <span className="second muted">{row.email}</span>}</> },
    { name: 'staff.role', cell: (row) => <RoleOf of={row} /> },
    { name: 'staff.state', cell: (row) => <Standing of={row} /> },
    { name: 'staff.factor', cell: (row) => <Factor of={row} /> },
  ],
});

export function Members() {
  const { say } = useWords();
  const { may } = useHouse();
  return (
    <ListScreen list={members} search={getRouteApi('/staff').useSearch()} actions={(
      <>
        <Link to="/staff/roles" className="button">{say('staff.rights')}</Link>
        <Link to="/staff/invitations" search={{}} className="button">{say('staff.invitations')}</Link>
        {may({ needs: ['STAFF_EDIT'] }) && <Invite />}
      </>
    )} />
  );
}

export function RoleOf({ of }: { of: { role: string; dealer: { name: string } | null; provider: { name: string } | null } }) {
  const { label } = useHouse();
  const owner = of.dealer?.name ?? of.provider?.name;
  return <>{label('Role', of.role)}{owner !== undefined && ` · ${owner}`}</>;
}

export function Standing({ of }: { of: Pick<Row, 'isActive'> & { secondFactors: { isLocked: boolean } | null } }) {
  const { say } = useWords();
  if (!of.isActive) return <Tag tone="idle">{say('staff.off')}</Tag>;
  if (of.secondFactors?.isLocked) return <Tag tone="bad">{say('staff.locked')}</Tag>;
  return <Tag tone="good">{say('staff.active')}</Tag>;
}

function Factor({ of }: { of: Row }) {
  const { say } = useWords();
  const f = of.secondFactors;
  if (!f) return null;
  if (f.hasTotp || f.passkeys.length > 0) return <Tag tone="good" icon="shield">{say(f.passkeys.length > 0 ? 'staff.passkey' : 'staff.app')}</Tag>;
  return <Tag tone={f.isRequired ? 'bad' : 'waiting'} icon="warning">{say(f.isRequired ? 'staff.factorMissing' : 'staff.passwordOnly')}</Tag>;
}
