// What waits, and since when: the first thing that a person sees.
import { useRouter } from '@tanstack/react-router';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { Age } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { State, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import type { OpenWorkKind } from './home.generated';
import { useOpenWork } from './work';

// Where what waits is decided: paths below /console.
const paths: Record<OpenWorkKind, string> = {
  DEPOSITS: '/deposits',
  WITHDRAWALS: '/desk',
  PAYOUTS: '/payouts',
  BANK_LINES: '/bank-lines',
  DISCREPANCIES: '/discrepancies',
  DISPUTES: '/disputes?state=INQUIRY,NEEDS_RESPONSE&sort=EVIDENCE_DUE_ASC',
  APPROVALS: '/approvals',
  CALLBACKS: '/callbacks?status=FAILED&held=true',
  DAYS: '/reconciliation',
  GATEWAYS: '/gateways',
};

export function Home() {
  const { say } = useWords();
  const { member, label } = useHouse();
  const { history } = useRouter();
  const work = useOpenWork();
  useTitle(say('nav.home'));
  const waiting = work?.filter((w) => w.count > 0);
  return (
    <>
      <h1>{say('home.hello', { name: member.profile?.name ?? member.email })}</h1>
      {!work && <Waiting />}
      {waiting?.length === 0 && <State icon="check" title={say('home.nothing')}><p>{say('home.nothingLead')}</p></State>}
      <ul className="work">
        {waiting?.map((w) => (
          <li key={w.kind}>
            <a href={`/console${paths[w.kind]}`} onClick={(e) => {
              if (e.ctrlKey || e.metaKey || e.shiftKey) return;
              e.preventDefault();
              history.push(e.currentTarget.pathname + e.currentTarget.search);
            }}>
              <span className="work-count">{w.count}{w.hasMore && '+'}</span>
              <span className="work-name">{label('OpenWorkKind', w.kind)}<Icon name="right" /></span>
              {w.oldestAt !== null && <span className="muted">{say('home.oldest')} <Age at={w.oldestAt} /></span>}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
