// The frame around every screen, for whoever is signed in; the sign-in page for everybody else, at the same address.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState, type MouseEvent } from 'react';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import { ask } from '../api/client';
import { isConnected } from '../api/connection';
import { MeDocument } from '../api/operations.generated';
import { session } from '../api/session';
import { Icon } from '../ui/Icon';
import { Refused, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import { AccountMenu, signOut } from './AccountMenu';
import { KeySheet } from './KeySheet';
import { useKeys } from './keys';
import { placesOf, type Member } from './navigation';
import { SignIn } from './SignIn';

export function Shell() {
  const { token } = session.use();
  return token === undefined ? <SignIn /> : <Frame key={token} />;
}

function Frame() {
  const queries = useQueryClient();
  const me = useQuery({
    queryKey: ['me'], queryFn: ({ signal }) => ask(MeDocument, {}, signal), select: (data) => data.me, staleTime: Infinity,
  });
  if (me.data) return <Framed member={me.data} />;
  return (
    <main className="page alone">
      {me.error ? <Refused error={me.error} retry={() => void me.refetch()} /> : <Waiting />}
      {me.error && <LeaveButton leave={() => void signOut(queries)} />}
      <ConnectionNote />
    </main>
  );
}

function LeaveButton({ leave }: { leave: () => void }) {
  const { say } = useWords();
  return <p className="state"><button type="button" className="button quiet" onClick={leave}>{say('app.signOut')}</button></p>;
}

function Framed({ member }: { member: Member }) {
  const { say } = useWords();
  const [hasKeys, setHasKeys] = useState(false);
  const [hasMenu, setHasMenu] = useState(false);
  useKeys({ '?': () => setHasKeys(true) });
  const path = useRouterState({ select: (s) => s.location.pathname });
  useEffect(() => setHasMenu(false), [path]);
  return (
    <PortalProvider getContainer={overlays}>
      <div className="frame">
        <a className="skip" href="#content" onClick={skip}>{say('app.skip')}</a>
        <header className="top">
          <button
            type="button" className="button quiet square only-narrow" aria-expanded={hasMenu} aria-controls="navigation"
            aria-label={say('nav.main')} onClick={() => setHasMenu(!hasMenu)}
          >
            <Icon name={hasMenu ? 'close' : 'menu'} />
          </button>
          <Link to="/transactions" search={{}} className="brand">
            <span className="mark" aria-hidden="true">V</span>{say('app.title')}
          </Link>
          <AccountMenu member={member} openKeys={() => setHasKeys(true)} />
        </header>
        <nav id="navigation" className={hasMenu ? 'side open' : 'side'} aria-label={say('nav.main')}>
          <Navigation member={member} />
        </nav>
        <main className="page" id="content" tabIndex={-1}>
          <Outlet />
          <div id="overlays" />
        </main>
        <ConnectionNote />
        <KeySheet isOpen={hasKeys} onChange={setHasKeys} />
      </div>
    </PortalProvider>
  );
}

// A place is shown as the present one on its pages too, however they are narrowed.
const anyPage = { exact: false, includeSearch: false };

/** skip leads past the menu; the router would take the address for a page's. */
function skip(e: MouseEvent) {
  e.preventDefault();
  document.getElementById('content')?.focus();
}

// What opens over the page is part of its main landmark: screen readers find it there.
const overlays = () => document.getElementById('overlays');

function Navigation({ member }: { member: Member }) {
  const { say } = useWords();
  return (
    <ul>
      {placesOf(member).map((p) => (
        <li key={p.name}>
          {'to' in p
            ? <Link to={p.to} search={{}} activeOptions={anyPage}><Icon name={p.icon} />{say(p.name)}</Link>
            : <a href={p.href}><Icon name={p.icon} />{say(p.name)}</a>}
        </li>
      ))}
    </ul>
  );
}

/** ConnectionNote says that Vezne does not answer, until it does. */
function ConnectionNote() {
  const { say } = useWords();
  const isOn = isConnected.use();
  return (
    <div role="status" className="connection">
      {!isOn && <p><Icon name="warning" />{say('connection.lost')}</p>}
    </div>
  );
}
