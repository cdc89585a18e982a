// The frame around every screen, for whoever is signed in; the sign-in page for everybody else, at the same address.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type MouseEvent } from 'react';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import { places } from '../areas';
import { ask, Refusal } from '../api/client';
import { isConnected } from '../api/connection';
import { session } from '../api/session';
import { BeginDocument } from '../api/session.generated';
import { useLiveWork, useOpenWork, useStanding } from '../home/work';
import { Icon } from '../ui/Icon';
import { Results } from '../ui/results';
import { Refused, Waiting } from '../ui/State';
import { chosenLanguage, useWords, zone } from '../words/words';
import { AccountMenu, signOut } from './AccountMenu';
import { HouseContext, makeHouse, useHouse } from './house';
import { KeySheet } from './KeySheet';
import { useKeys } from './keys';
import { groups, type Place } from './navigation';
import { Palette } from './Palette';
import { SignIn } from './SignIn';
import { StepUp } from './StepUp';
import { theme } from './theme';

export function Shell() {
  const state = session.use();
  return (
    <>
      {state !== 'out' && <Frame isHidden={state === 'lapsed'} />}
      {(state === 'out' || state === 'lapsed') && <SignIn />}
      <ConnectionNote />
    </>
  );
}

/** useBegin asks who is signed in. Somebody else than before finds nothing of what the one before has seen. */
function useBegin() {
  const queries = useQueryClient();
  const { language, turn } = useWords();
  const state = session.use();
  const before = useRef<string>(undefined);
  const begin = useQuery({
    queryKey: ['begin', language],
    queryFn: async ({ signal }) => {
      const answer = await ask(BeginDocument, { language }, signal);
      const id = answer.me?.id;
      if (before.current !== undefined && before.current !== id) queries.removeQueries({ predicate: (q) => q.queryKey[0] !== 'begin' });
      before.current = id;
      return answer;
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    enabled: state === 'asking' || state === 'in',
  });
  const standing = useStanding(state === 'in' && begin.data?.me != null);
  const house = useMemo(() => begin.data && makeHouse(begin.data, standing), [begin.data, standing]);
  const isFresh = house !== undefined && !begin.isFetching && !begin.isStale && !begin.isError;
  useEffect(() => {
    if (!house || !isFresh || session.get() !== 'asking') return;
    zone.set(house.installation.timeZone);
    const { language: preferred, theme: look } = house.member.profile ?? {};
    if (chosenLanguage() === undefined && (preferred === 'tr' || preferred === 'en')) void turn(preferred);
    if (look) theme.prefer(look);
    session.arrive();
    void queries.invalidateQueries({ predicate: (q) => q.queryKey[0] !== 'begin' });
  }, [house, isFresh, turn, queries]);
  return { ...begin, house };
}

function Frame({ isHidden }: { isHidden: boolean }) {
  const queries = useQueryClient();
  const state = session.use();
  const { house, error, refetch } = useBegin();
  const needsFactor = error instanceof Refusal && error.code === 'SECOND_FACTOR_REQUIRED';
  if (house && !needsFactor) {
    return (
      <HouseContext value={house}>
        <div hidden={isHidden || state === 'asking'}><Framed key={house.member.id} /></div>
      </HouseContext>
    );
  }
  return (
    <main className="page alone">
      {error ? <Refused error={error} retry={() => void refetch()} /> : <Waiting />}
      {error && (
        <p className="state">
          <LeaveButton leave={() => void signOut(queries)} />
        </p>
      )}
    </main>
  );
}

function LeaveButton({ leave }: { leave: () => void }) {
  const { say } = useWords();
  return <button type="button" className="button quiet" onClick={leave}>{say('app.signOut')}</button>;
}

function Framed() {
  const { say } = useWords();
  const { installation, may } = useHouse();
  useLiveWork();
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
          <Link to="/" className="brand" title={installation.name}>
            <span className="mark" aria-hidden="true">V</span>{say('app.title')}
            {installation.isDemo && <span className="tag">{say('app.demo')}</span>}
          </Link>
          <Palette />
          <AccountMenu openKeys={() => setHasKeys(true)} />
        </header>
        <nav id="navigation" className={hasMenu ? 'side open' : 'side'} aria-label={say('nav.main')}>
          <Navigation />
        </nav>
        <main className="page" id="content" tabIndex={-1}>
          {installation.isFrozen && (
            <p className="problem boxed" role="alert"><Icon name="warning" /><span>{say('app.frozen')}</span>
              {may({ needs: ['WALLETS_ADJUST'] }) && <Link to="/restore" search={{}} className="button">{say('app.toRestore')}</Link>}
            </p>
          )}
          <Outlet />
          <div id="overlays" />
        </main>
        <Results />
        <StepUp />
        <KeySheet isOpen={hasKeys} onChange={setHasKeys} />
      </div>
    </PortalProvider>
  );
}

// A place is shown as the present one on its pages too, however they are narrowed.
const anyPage = { exact: false, includeSearch: false };
const thisPage = { exact: true, includeSearch: false };

/** skip leads past the menu; the router would take the address for a page's. */
function skip(e: MouseEvent) {
  e.preventDefault();
  document.getElementById('content')?.focus();
}

// What opens over the page is part of its main landmark: screen readers find it there.
const overlays = () => document.getElementById('overlays');

function Navigation() {
  const { say } = useWords();
  const { may } = useHouse();
  const work = useOpenWork();
  const mine = places.filter(may);
  const row = (p: Place) => {
    const waits = work?.find((w) => w.kind === p.badge && w.count > 0);
    const inside = (
      <>
        <Icon name={p.icon} />{say(p.name)}
        {waits && <span className="badge" aria-label={say('nav.waiting', { count: waits.count })}>{waits.count}{waits.hasMore && '+'}</span>}
      </>
    );
    return (
      <li key={p.name}>
        {typeof p.to === 'string'
          ? <Link to={p.to} search={{}} activeOptions={p.to === '/' ? thisPage : anyPage}>{inside}</Link>
          : <a href={p.to.href}>{inside}</a>}
      </li>
    );
  };
  return (
    <>
      <ul>{mine.filter((p) => !p.group).map(row)}</ul>
      {groups.map((group) => {
        const within = mine.filter((p) => p.group === group);
        return within.length > 0 && (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>{say(`nav.group.${group}`)}</h2>
            <ul>{within.map(row)}</ul>
          </section>
        );
      })}
    </>
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
