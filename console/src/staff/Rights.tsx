// What each role may do.
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { Loaded, Top } from '../ui/Screen';
import { useWords } from '../words/words';
import { RolesDocument } from './staff.generated';

export function Rights() {
  const { say } = useWords();
  const { label } = useHouse();
  const found = useQuery({ queryKey: ['roles'], queryFn: ({ signal }) => ask(RolesDocument, {}, signal), select: (data) => data.roles, staleTime: Infinity });
  return (
    <>
      <Top to="/staff" of={say('staff.title')} title={say('staff.rights')} />
      <p className="lead">{say('staff.rightsLead')}</p>
      <Loaded of={found}>
        {(roles) => (
          <>
            <div className="panel"><dl className="facts">{roles.map((r) => <div key={r.role}><dt>{label('Role', r.role)}</dt><dd>{say(`staff.for.${r.role}`)}</dd></div>)}</dl></div>
            <div className="panel scroll" tabIndex={0} role="region" aria-label={say('staff.rights')}>
              <table className="rights">
                <thead><tr><th scope="col">{say('staff.right')}</th>{roles.map((r) => <th key={r.role} scope="col">{label('Role', r.role)}</th>)}</tr></thead>
                <tbody>
                  {roles[0]?.permissions.map((p) => (
                    <tr key={p}>
                      <th scope="row">{label('Permission', p)}</th>
                      {roles.map((r) => (r.permissions.includes(p) ? <td key={r.role} className="yes"><span aria-hidden="true">✓</span><span className="unseen">{say('banking.yes')}</span></td>
                        : <td key={r.role}><span className="unseen">{say('banking.no')}</span></td>))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}
