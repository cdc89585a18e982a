import { isDealers, isProviders } from './filters';
// One staff member: role, second factors, sessions, and what is done about them.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { Turn } from '../owners/parts';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Age, Fact, Facts, Moment, Tag } from '../ui/facts';
import { Problem } from '../ui/Form';
import { Loaded, Top } from '../ui/Screen';
import { useWords } from '../words/words';
import { RoleFields } from './Invite';
import { RoleOf, Standing } from './Members';
import {
  MemberDocument, ResetFactorsDocument, RevokeSessionsDocument, UnlockMemberDocument, UpdateMemberDocument, type MemberQuery,
} from './staff.generated';

type Whole = NonNullable<MemberQuery['staffMember']>;
type Session = NonNullable<MemberQuery['staffSessions']>[number];

export function Member() {
  const { id } = getRouteApi('/staff/$id').useParams();
  const found = useQuery({ queryKey: ['/staff', id], queryFn: ({ signal }) => ask(MemberDocument, { id }, signal) });
  return <Loaded of={found}>{({ staffMember, staffSessions }) => staffMember && <Shown of={staffMember} sessions={staffSessions ?? []} />}</Loaded>;
}

function Shown({ of, sessions }: { of: Whole; sessions: readonly Session[] }) {
  const { say } = useWords();
  const { may, label, member } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const update = useAct(UpdateMemberDocument, { said: say('owners.saved') });
  const unlock = useAct(UnlockMemberDocument, { said: say('staff.unlocked') });
  const mayEdit = may({ needs: ['STAFF_EDIT'] });
  const isSelf = member.id === of.id;
  return (
    <>
      <Top to="/staff" of={say('staff.title')} title={of.profile?.name ?? of.email} state={<Standing of={of} />} actions={mayEdit && (
        <>
          {of.secondFactors?.isLocked && (
            <button type="button" className="button" aria-disabled={unlock.isBusy} onClick={() => void unlock.act({ input: { id: of.id } })}>{say('staff.unlock')}</button>
          )}
          {!isSelf && (
            <Turn isActive={of.isActive} act={update} name={of.email} lead={say(of.isActive ? 'staff.offDoes' : 'staff.onDoes')}
              turn={(isActive) => update.act({ input: { id: of.id, isActive } })} />
          )}
          <button type="button" className="button primary" onClick={() => setIsOpen(true)}>{say('staff.changeRole')}</button>
        </>
      )} />
      <Problem of={unlock} />
      <div className="panels">
        <div className="stack">
          <Sessions of={of} sessions={sessions} mayEdit={mayEdit} />
          <section className="panel" aria-labelledby="may">
            <h2 id="may">{say('staff.may')}</h2>
            <ul className="statuses">{of.permissions.map((p) => <li key={p}><Tag tone="good">{label('Permission', p)}</Tag></li>)}</ul>
          </section>
        </div>
        <div className="stack">
          <section className="panel" aria-labelledby="facts">
            <h2 id="facts">{say('staff.person')}</h2>
            <Facts>
              <Fact name={say('staff.email')} copy={of.email}>{of.email}</Fact>
              <Fact name={say('staff.role')}><RoleOf of={of} /></Fact>
              <Fact name={say('staff.since')}><Moment at={of.createdAt} /></Fact>
            </Facts>
          </section>
          <Factors of={of} mayEdit={mayEdit && !isSelf} />
        </div>
      </div>
      {isOpen && <Editor of={of} close={() => setIsOpen(false)} />}
    </>
  );
}

function Editor({ of, close }: { of: Whole; close: () => void }) {
  const { say } = useWords();
  const [role, setRole] = useState(of.role);
  const [owner, setOwner] = useState(of.dealerId ?? of.providerId ?? '');
  const save = useAct(UpdateMemberDocument, { said: say('owners.saved'), done: close });
  return (
    <ActDialog title={say('staff.changeRole')} isOpen close={close} act={save} go={say('owners.save')} submit={() => void save.act({
      input: { id: of.id, role, ...(isDealers(role) && { dealerId: owner }), ...(isProviders(role) && { providerId: owner }) },
    })}>
      <p className="lead">{say('staff.changeRoleLead')}</p>
      <RoleFields role={role} setRole={setRole} owner={owner} setOwner={setOwner} />
    </ActDialog>
  );
}

function Factors({ of, mayEdit }: { of: Whole; mayEdit: boolean }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const reset = useAct(ResetFactorsDocument, { said: say('staff.factorsGone'), done: () => setIsOpen(false) });
  const f = of.secondFactors;
  if (!f) return null;
  const hasAny = f.hasTotp || f.passkeys.length > 0;
  return (
    <section className="panel" aria-labelledby="factors">
      <h2 id="factors">{say('staff.factor')}</h2>
      <Facts>
        <Fact name={say('staff.app')}>{say(f.hasTotp ? 'banking.yes' : 'banking.no')}</Fact>
        <Fact name={say('staff.codesLeft')}>{f.recoveryCodesLeft}</Fact>
        {f.passkeys.map((p) => <Fact key={p.id} name={say('staff.passkey')}>{p.name} {p.lastUsedAt !== null && <span className="muted"><Age at={p.lastUsedAt} /></span>}</Fact>)}
        <Fact name={say('staff.demanded')}>{say(f.isRequired ? 'banking.yes' : 'banking.no')}</Fact>
      </Facts>
      {mayEdit && hasAny && <button type="button" className="button" onClick={() => setIsOpen(true)}>{say('staff.resetFactors')}</button>}
      <ActDialog title={say('staff.resetFactors')} isOpen={isOpen} close={() => setIsOpen(false)} act={reset} go={say('staff.resetFactors')} tone="danger"
        submit={() => void reset.act({ input: { id: of.id } })}>
        <p className="lead">{say('staff.resetFactorsLead')}</p>
      </ActDialog>
    </section>
  );
}

function Sessions({ of, sessions, mayEdit }: { of: Whole; sessions: readonly Session[]; mayEdit: boolean }) {
  const { say } = useWords();
  const revoke = useAct(RevokeSessionsDocument, { said: say('staff.signedOut') });
  const end = (sessionId?: string) => void revoke.act({ input: { staffId: of.id, ...(sessionId !== undefined && { sessionId }) } });
  return (
    <section className="panel" aria-labelledby="sessions">
      <div className="title">
        <h2 id="sessions">{say('staff.sessions')}</h2>
        {mayEdit && sessions.length > 1 && <button type="button" className="button" aria-disabled={revoke.isBusy} onClick={() => end()}>{say('staff.endAll')}</button>}
      </div>
      <Problem of={revoke} />
      {sessions.length === 0 && <p className="muted">{say('staff.noSessions')}</p>}
      <ul className="rows">
        {sessions.map((s) => (
          <li key={s.id}>
            <div>
              <p><b>{s.address}</b> {s.isCurrent && <Tag tone="good">{say('staff.thisOne')}</Tag>} {s.hasSecondFactor && <Tag tone="good" icon="shield">{say('staff.withFactor')}</Tag>}</p>
              <p className="muted">{s.userAgent}</p>
              <p className="muted">{say('staff.began')} <Moment at={s.createdAt} /> · {say('staff.lastSeen')} <Age at={s.lastSeenAt} /></p>
            </div>
            {mayEdit && <button type="button" className="button" aria-label={say('staff.endOf', { address: s.address })} aria-disabled={revoke.isBusy} onClick={() => end(s.id)}>{say('staff.end')}</button>}
          </li>
        ))}
      </ul>
    </section>
  );
}
