// After a backup was restored: what is known, what people have to look at, and the two who let money move again.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Fact, Facts, Moment, Tag } from '../ui/facts';
import { TextArea } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { Loaded } from '../ui/Screen';
import { State } from '../ui/State';
import { useWords } from '../words/words';
import { isSetting, kinds, seenBy, settings } from './filters';
import { AcknowledgeRemainsDocument, RestorationDocument, ThawDocument, ThawRequestsDocument, type RemainKind, type RestorationQuery } from './restore.generated';

type Restoration = NonNullable<RestorationQuery['restoration']>;
type Remain = Restoration['remains'][number];

// Nothing tells what gateways and banks have answered: it is asked for while the installation is frozen.
const EACH_MS = 3000;
const MOST = 200; // of what remains at once, as the API has it

const page = getRouteApi('/restore');

export function Restore() {
  const { say } = useWords();
  useTitle(say('restore.title'));
  const { installation } = useHouse();
  const isAll = page.useSearch()['all'] === 'true' || !installation.isFrozen;
  const found = useQuery({
    queryKey: ['/restore', isAll],
    queryFn: ({ signal }) => ask(RestorationDocument, { isOpen: isAll ? null : true }, signal),
    select: (data) => data.restoration,
    refetchInterval: ({ state }) => (state.data?.restoration?.state === 'LIVE' ? false : EACH_MS),
  });
  return (
    <>
      <h1>{say('restore.title')}</h1>
      <Loaded of={found}>{(r) => (r.frozenAt === null ? <State icon="check" title={say('restore.never')} /> : <Whole of={r} isAll={isAll} />)}</Loaded>
    </>
  );
}

function Whole({ of: r, isAll }: { of: Restoration; isAll: boolean }) {
  const { say } = useWords();
  const isFrozen = r.state === 'FROZEN';
  return (
    <div className="stack">
      <section className="panel" aria-labelledby="restore-state">
        <Standing of={r} />
        {isFrozen && <p className="lead">{say(r.askedAt === null ? 'restore.asking' : 'restore.asked')}</p>}
        <Thawing of={r} />
      </section>
      {(r.askedAt !== null || r.remains.length > 0) && <Remains of={r} isAll={isAll} canFilter={isFrozen} />}
    </div>
  );
}

function Standing({ of: r }: { of: Restoration }) {
  const { say, time } = useWords();
  const { label } = useHouse();
  return (
    <>
      <div className="title">
        <h2 id="restore-state">{say('restore.state')}</h2>
        <Tag tone={r.state === 'FROZEN' ? 'bad' : 'good'}>{label('EpochState', r.state)}</Tag>
      </div>
      <Facts>
        {r.cause !== null && <Fact name={say('restore.cause')}>{label('FreezeCause', r.cause)}</Fact>}
        {r.restoredTo !== null && <Fact name={say('restore.restoredTo')}>{time(r.restoredTo)}</Fact>}
        {r.lostUntil !== null && <Fact name={say('restore.lostUntil')}>{time(r.lostUntil)}</Fact>}
        {r.frozenAt !== null && <Fact name={say('restore.frozenAt')}>{time(r.frozenAt)}</Fact>}
        <Fact name={say('restore.askedAt')}>{r.askedAt === null ? say('restore.notYet') : time(r.askedAt)}</Fact>
        {r.thawedAt !== null && <Fact name={say('restore.thawedAt')}>{time(r.thawedAt)}</Fact>}
      </Facts>
    </>
  );
}

/** Thawing is who has asked for the thaw and who may approve; after it who the two were. */
function Thawing({ of: r }: { of: Restoration }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const isFrozen = r.state === 'FROZEN';
  const requests = useQuery({
    queryKey: ['/restore', 'requests', r.subject],
    queryFn: ({ signal }) => ask(ThawRequestsDocument, { filter: { subject: r.subject } }, signal),
    select: (data) => data.approvals?.nodes.filter((a) => a.action === 'thaw') ?? [],
    ...(isFrozen && { refetchInterval: EACH_MS }),
  }).data;
  const waiting = requests?.find((a) => a.status === 'WAITING');
  const done = requests?.find((a) => a.status === 'APPROVED');
  if (!isFrozen) {
    return done ? (
      <p className="lead">
        {say('restore.thawedBy', { first: done.requestedBy.name ?? '–', second: done.decidedBy?.name ?? '–' })}
        {done.reason !== null && <> {done.reason}</>}
      </p>
    ) : null;
  }
  if (waiting) {
    return (
      <div className="note" role="status">
        <p><b>{say('restore.requested', { name: waiting.requestedBy.name ?? '–' })}</b> <Moment at={waiting.createdAt} /></p>
        {waiting.reason !== null && <p>{waiting.reason}</p>}
        <p>{say(waiting.isForYou ? 'restore.forYou' : waiting.isOwn ? 'restore.own' : 'restore.forOthers')}</p>
        <Link to="/approvals/$id" params={{ id: waiting.id }} className={waiting.isForYou ? 'button primary' : 'button'}>{say('restore.toRequest')}</Link>
      </div>
    );
  }
  const isReady = r.askedAt !== null && r.openCount === 0;
  return (
    <>
      <p>{isReady ? say('restore.ready') : r.askedAt === null ? say('restore.notReady') : say('restore.left', { count: r.openCount })}</p>
      <button type="button" className="button primary" disabled={!isReady} onClick={() => setIsOpen(true)}>{say('restore.thaw')}</button>
      {isOpen && <Thaw close={() => setIsOpen(false)} />}
    </>
  );
}

function Thaw({ close }: { close: () => void }) {
  const { say } = useWords();
  const [reason, setReason] = useState('');
  const act = useAct(ThawDocument, { done: close });
  return (
    <ActDialog title={say('restore.thaw')} isOpen close={close} act={act} go={say('restore.thawAsk')} tone="danger" submit={() => {
      void act.act({ input: { reason } }).then((thawed) => { if (thawed !== undefined) close(); });
    }}>
      <p>{say('restore.thawLead')}</p>
      <TextArea name="reason" label={say('banking.reason')} value={reason} onChange={setReason} isRequired />
    </ActDialog>
  );
}

/** Remains is what has to be looked at, by kind: what to do, each with the way to it, and one reason for as many as are chosen. */
function Remains({ of: r, isAll, canFilter }: { of: Restoration; isAll: boolean; canFilter: boolean }) {
  const { say } = useWords();
  const { label } = useHouse();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isOpen, setIsOpen] = useState(false);
  const open = r.remains.filter((one) => one.acknowledgedAt === null);
  const ids = open.filter((one) => chosen.has(one.id)).map((one) => one.id);
  const choose = (all: readonly Remain[], is: boolean) => setChosen((before) => {
    const after = new Set(before);
    for (const { id } of all) if (is) after.add(id); else after.delete(id);
    return after;
  });
  const groups = kinds.map((kind) => ({ kind, all: r.remains.filter((one) => one.kind === kind) })).filter(({ all }) => all.length > 0);
  return (
    <section aria-labelledby="restore-remains" className="stack">
      <div className="title">
        <h2 id="restore-remains">{say(canFilter ? 'restore.remains' : 'restore.summary')}</h2>
        {canFilter && (
          <div className="actions">
            <Link to="/restore" search={isAll ? {} : { all: 'true' }} className="button">{say(isAll ? 'restore.showOpen' : 'restore.showDone')}</Link>
            <button type="button" className="button primary" disabled={ids.length === 0} onClick={() => setIsOpen(true)}>
              <Icon name="check" />{ids.length === 0 ? say('restore.acknowledgeGo') : say('restore.acknowledge', { count: ids.length })}
            </button>
          </div>
        )}
      </div>
      {groups.length === 0 && <State icon="check" title={say('restore.none')} />}
      {groups.map(({ kind, all }) => (
        <Group key={kind} kind={kind} all={all} chosen={chosen} choose={canFilter ? choose : undefined} label={label('RemainKind', kind)} />
      ))}
      {r.remains.length >= MOST && <p className="muted">{say('restore.more', { count: MOST })}</p>}
      {isOpen && <Acknowledge ids={ids} close={() => setIsOpen(false)} />}
    </section>
  );
}

function Group({ kind, all, chosen, choose, label }: {
  kind: RemainKind; all: readonly Remain[]; chosen: ReadonlySet<string>; choose: ((all: readonly Remain[], is: boolean) => void) | undefined; label: string;
}) {
  const { say } = useWords();
  const { may } = useHouse();
  const mayLook = (one: Remain) => may(seenBy(one.subject));
  const open = all.filter((one) => one.acknowledgedAt === null && mayLook(one));
  const isEvery = open.length > 0 && open.every((one) => chosen.has(one.id));
  return (
    <section className="panel remains" aria-labelledby={`remains-${kind}`}>
      <div className="title">
        <h3 id={`remains-${kind}`}>{label} <span className="muted">{all.length}</span></h3>
        {choose && open.length > 1 && (
          <label className="check"><input type="checkbox" checked={isEvery} onChange={(e) => choose(open, e.target.checked)} /> {say('restore.every')}</label>
        )}
      </div>
      {choose && <p className="lead">{say(`restore.do.${kind}`)}</p>}
      <ul className="rows">
        {all.map((one) => (
          <li key={one.id}>
            <div className="remain">
              {choose && one.acknowledgedAt === null && (
                <input disabled={!mayLook(one)} type="checkbox" checked={chosen.has(one.id)} aria-label={say('list.choose', { name: one.subject })} onChange={(e) => choose([one], e.target.checked)} />
              )}
              <div>
                <p><Subject of={one} /></p>
                <p className="muted"><Detail of={one} /></p>
                {choose && one.acknowledgedAt === null && !mayLook(one) && <p>{say('restore.byAdmin')}</p>}
              </div>
            </div>
            {one.acknowledgedAt !== null && (
              <p className="muted acknowledged"><Icon name="check" /><span>{one.reason} – {one.acknowledgedBy?.name} <Moment at={one.acknowledgedAt} /></span></p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Subject is what it is, and the way to it. */
function Subject({ of }: { of: Remain }) {
  const { say } = useWords();
  const { may } = useHouse();
  const [kind, id = '', name] = of.subject.split('/');
  if (of.kind === 'SETTINGS_ARE_OLDER') {
    if (isSetting(of.subject) && !may(seenBy(of.subject))) return <>{say(`restore.setting.${of.subject}`)}</>;
    return isSetting(of.subject) ? <Link to={settings[of.subject]} search={{}}>{say(`restore.setting.${of.subject}`)}</Link> : <>{of.subject}</>;
  }
  switch (kind) {
    case 'payment': return <Link to="/transactions/$code" params={{ code: id }} search={{}} className="code">{id}</Link>;
    case 'gateway': return (
      <>
        <Link to="/gateways/$id" params={{ id }}>{of.gateway?.name ?? say('restore.gateway', { id })}</Link>
        {name !== undefined && of.kind !== 'NOT_LISTED' && <> <span className="iban">{name}</span></>}
      </>
    );
    case 'wallet': return <Link to="/wallets/$id" params={{ id }} search={{}}>{say('restore.wallet', { id })}</Link>;
    case 'by-hand': return <>{say('restore.byHand')}</>;
    case 'corrections': return <>{say('restore.corrections')}</>;
    default: return <>{of.subject}</>;
  }
}

/** Detail is what helps to find it elsewhere; of what a release before these facts has found it is that release's own sentence. */
function Detail({ of: r }: { of: Remain }) {
  const { say, money } = useWords();
  const { label } = useHouse();
  const active = r.active.map(({ role, count }) => `${label('Role', role)} ${count}`).join(', ');
  const facts = [
    r.kind === 'SETTINGS_ARE_OLDER' && isSetting(r.subject) && say(`restore.compare.${r.subject}`),
    active !== '' && say('restore.active', { list: active }),
    r.amount !== null && money(r.amount.amount, r.amount.asset),
    r.status !== null && label('TransactionStatus', r.status),
    r.gatewayState !== null && label('GatewayDepositState', r.gatewayState),
    r.unanswered !== null && say('restore.unanswered', { count: r.unanswered }),
    r.missing.length > 0 && r.missing.map((what) => label('RemainMissing', what)).join(', '),
    r.gap !== null && label('RemainGap', r.gap),
    r.bank, r.trouble,
  ].filter((fact) => fact);
  return <>{facts.length > 0 ? facts.join(' · ') : r.detail}</>;
}

function Acknowledge({ ids, close }: { ids: string[]; close: () => void }) {
  const { say } = useWords();
  const [reason, setReason] = useState('');
  const act = useAct(AcknowledgeRemainsDocument, { said: say('restore.acknowledged'), done: close });
  return (
    <ActDialog title={say('restore.acknowledge', { count: ids.length })} isOpen close={close} act={act} go={say('restore.acknowledgeGo')}
      submit={() => void act.act({ input: { ids: ids.slice(0, MOST), reason } })}>
      <p>{say('restore.acknowledgeLead')}</p>
      <TextArea name="reason" label={say('banking.reason')} value={reason} onChange={setReason} isRequired />
    </ActDialog>
  );
}
