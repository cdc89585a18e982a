// Invitations, whatever became of them.
import { getRouteApi } from '@tanstack/react-router';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { Moment, Tag } from '../ui/facts';
import { Problem } from '../ui/Form';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { Invite } from './Invite';
import { RoleOf } from './Members';
import { InvitationsDocument, RevokeInvitationDocument, type InvitationsQuery } from './staff.generated';

type Row = NonNullable<InvitationsQuery['invitations']>['nodes'][number];

const isOpen = (row: Row) => row.acceptedAt === null && row.revokedAt === null && Date.parse(row.expiresAt) > Date.now();

const invitations = defineList({
  title: 'staff.invitations',
  path: '/staff/invitations',
  filters: [],
  operation: InvitationsDocument,
  variables: (_, page) => ({ ...page }),
  page: (result) => result.invitations,
  keyOf: (row) => row.id,
  none: 'staff.noInvitations',
  columns: [
    { name: 'staff.email', className: 'cell-name', cell: (row) => <RowLink>{row.email}</RowLink> },
    { name: 'staff.role', cell: (row) => <RoleOf of={row} /> },
    { name: 'staff.state', cell: (row) => <Became of={row} /> },
    { name: 'staff.invitedBy', cell: (row) => <>{row.invitedBy.name}</> },
    { name: 'staff.invitedAt', cell: (row) => <Moment at={row.createdAt} /> },
    { name: 'staff.until', cell: (row) => <Moment at={row.expiresAt} /> },
    { name: 'staff.actions', cell: (row) => <Revoke of={row} /> },
  ],
});

export function Invitations() {
  const { may } = useHouse();
  return <ListScreen list={invitations} search={getRouteApi('/staff/invitations').useSearch()} actions={may({ needs: ['STAFF_EDIT'] }) && <Invite />} />;
}

function Became({ of }: { of: Row }) {
  const { say } = useWords();
  if (of.acceptedAt !== null) return <Tag tone="good">{say('staff.accepted')}</Tag>;
  if (of.revokedAt !== null) return <Tag tone="idle">{say('staff.revoked')}</Tag>;
  return isOpen(of) ? <Tag tone="waiting">{say('staff.open')}</Tag> : <Tag tone="idle">{say('staff.expired')}</Tag>;
}

function Revoke({ of }: { of: Row }) {
  const { say } = useWords();
  const { may } = useHouse();
  const revoke = useAct(RevokeInvitationDocument, { said: say('staff.invitationRevoked') });
  if (!isOpen(of) || !may({ needs: ['STAFF_EDIT'] })) return null;
  return (
    <>
      <button type="button" className="button" aria-label={say('staff.revokeOf', { email: of.email })} aria-disabled={revoke.isBusy} onClick={() => void revoke.act({ input: { id: of.id } })}>{say('staff.revoke')}</button>
      <Problem of={revoke} />
    </>
  );
}
