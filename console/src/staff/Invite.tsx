// Inviting somebody: the link is shown once, to whoever asked.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client';
import type { Role } from '../api/session.generated';
import { OneTimeKeys } from '../owners/Keys';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { SelectField, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { isDealers, isProviders, roles } from './filters';
import { InviteDocument, OwnersToPickDocument } from './staff.generated';

export function Invite() {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const [role, setRole] = useState<Role>('OPERATOR');
  const [owner, setOwner] = useState('');
  const [email, setEmail] = useState('');
  const [link, setLink] = useState<string>();
  const invite = useAct(InviteDocument, {
    said: say('staff.invited'),
    done: ({ inviteStaff: done }) => {
      setIsOpen(false);
      setLink(done?.link);
    },
  });
  return (
    <>
      <button type="button" className="button primary" onClick={() => setIsOpen(true)}><Icon name="plus" />{say('staff.invite')}</button>
      <ActDialog title={say('staff.invite')} isOpen={isOpen} close={() => setIsOpen(false)} act={invite} go={say('staff.inviteGo')} submit={() => void invite.act({
        input: { email: email.trim(), role, dealerId: isDealers(role) ? owner : null, providerId: isProviders(role) ? owner : null },
      })}>
        <p className="lead">{say('staff.inviteLead')}</p>
        <TextField name="email" type="email" label={say('staff.email')} value={email} onChange={setEmail} isRequired />
        <RoleFields role={role} setRole={setRole} owner={owner} setOwner={setOwner} />
      </ActDialog>
      <OneTimeKeys title={say('staff.linkFor', { email })} issued={link === undefined ? undefined : [{ credential: 'INVITATION_LINK', value: link }]} close={() => setLink(undefined)} />
    </>
  );
}

/** RoleFields are a role, with whose staff it is where it takes that, and what it is for. */
export function RoleFields({ role, setRole, owner, setOwner }: { role: Role; setRole: (role: Role) => void; owner: string; setOwner: (id: string) => void }) {
  const { say } = useWords();
  const { label } = useHouse();
  const found = useQuery({ queryKey: ['ownersToPick'], queryFn: ({ signal }) => ask(OwnersToPickDocument, {}, signal) }).data;
  return (
    <>
      <SelectField name="role" label={say('staff.role')} value={role} onChange={(to) => { setRole(to as Role); setOwner(''); }} hint={say(`staff.for.${role}`)}
        options={roles.map((r) => ({ id: r, name: label('Role', r) }))} />
      {isDealers(role) && <SelectField name="dealerId" label={say('sites.dealer')} value={owner} onChange={setOwner} isRequired none={say('staff.choose')} options={found?.dealers?.nodes ?? []} />}
      {isProviders(role) && <SelectField name="providerId" label={say('staff.provider')} value={owner} onChange={setOwner} isRequired none={say('staff.choose')} options={found?.providers?.nodes ?? []} />}
    </>
  );
}
