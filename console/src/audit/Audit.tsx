// The audit log: who did what, what it changed, and whether its chain is whole.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { ExportListDocument } from '../banking/banking.generated';
import { Difference } from '../banking/Approvals';
import { Exporter } from '../jobs/Exporter';
import { useHouse } from '../shell/house';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { Fact, Facts, Moment, Tag } from '../ui/facts';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { Loaded } from '../ui/Screen';
import { useWords } from '../words/words';
import { AuditChainDocument, AuditLogDocument, type AuditChainQuery, type AuditLogQuery } from './audit.generated';
import { filterOf, filters, searchOf } from './filters';

type Entry = NonNullable<AuditLogQuery['auditLog']>['nodes'][number];
type Chain = NonNullable<AuditChainQuery['auditChain']>;

const log = defineList({
  title: 'audit.title',
  path: '/audit',
  filters,
  operation: AuditLogDocument,
  variables: (s, page, zone) => ({ filter: filterOf(s, zone), ...page }),
  page: (result) => result.auditLog,
  keyOf: (row) => row.id,
  none: 'audit.none',
  views: { list: 'AUDIT_LOG', filterOf, searchOf },
  columns: [
    { name: 'audit.at', className: 'cell-created', cell: (row) => <Moment at={row.at} /> },
    { name: 'audit.who', cell: (row) => <Who of={row} /> },
    { name: 'audit.action', className: 'cell-name', cell: (row) => <><RowLink>{row.actionLabel}</RowLink><span className="second muted code">{row.action}</span></> },
    { name: 'audit.target', cell: (row) => <Target of={row.target} /> },
    { name: 'audit.changed', cell: (row) => <Changed of={row} /> },
    { name: 'audit.chain', cell: (row) => <Place of={row} /> },
  ],
});

export function Audit() {
  const { zone, language } = useWords();
  const search = getRouteApi('/audit').useSearch();
  const filter = filterOf(search, zone);
  return (
    <ListScreen list={log} search={search} above={(
      <>
        <ChainState />
        <Exporter operation={ExportListDocument} order={(format) => ({ input: { list: 'AUDIT' as const, audit: filter, format, language } })} />
      </>
    )} />
  );
}

function Who({ of }: { of: Entry }) {
  const { label } = useHouse();
  return <>{of.actor.name ?? label('ActorKind', of.actor.kind)}{of.actor.address !== null && <span className="second muted">{of.actor.address}</span>}</>;
}

/** Target leads to the screen of what it was done to, where there is one. */
function Target({ of }: { of: string }) {
  const [kind, id = ''] = of.split(/\/(.*)/s);
  if (kind === 'staff' && !/^\d+$/.test(id)) return <>{of}</>; // by email: who is not there yet, or not any more
  switch (kind) {
    case 'approval': return <Link to="/approvals/$id" params={{ id }}>{of}</Link>;
    case 'payment': return <Link to="/transactions/$code" params={{ code: id }} search={{}}>{id}</Link>;
    case 'provider': return <Link to="/providers/$id" params={{ id }} search={{}}>{of}</Link>;
    case 'dealer': return <Link to="/dealers/$id" params={{ id }} search={{}}>{of}</Link>;
    case 'staff': return <Link to="/staff/$id" params={{ id }}>{of}</Link>;
    case 'gateway': return <Link to="/gateways/$id" params={{ id }}>{of}</Link>;
    default: return <>{of}</>;
  }
}

function Changed({ of }: { of: Entry }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const different = of.changes.filter((c) => c.isDifferent);
  if (of.changes.length === 0 && of.reason === null) return null;
  const named = different.slice(0, 3).map((c) => c.label).join(', ');
  return (
    <>
      <button type="button" className="button quiet" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {named !== '' ? `${named}${different.length > 3 ? '…' : ''}` : say('audit.details')}
      </button>
      <Dialog title={of.actionLabel} isOpen={isOpen} close={() => setIsOpen(false)} isWide>
        <Facts>
          <Fact name={say('audit.at')}><Moment at={of.at} /></Fact>
          <Fact name={say('audit.who')}><Who of={of} /></Fact>
          <Fact name={say('audit.target')}><Target of={of.target} /></Fact>
          {of.reason !== null && <Fact name={say('banking.reason')}>{of.reason}</Fact>}
        </Facts>
        <Difference changes={of.changes} />
      </Dialog>
    </>
  );
}

function Place({ of }: { of: Entry }) {
  const { say } = useWords();
  return of.isChained ? <span className="muted">№ {of.chainNumber}</span> : <Tag tone="waiting">{say('audit.notYet')}</Tag>;
}

function ChainState() {
  const found = useQuery({
    queryKey: ['auditChain'], queryFn: ({ signal }) => ask(AuditChainDocument, {}, signal), select: (data) => data.auditChain, refetchInterval: 60_000,
  });
  return <Loaded of={found}>{(chain) => <Shown of={chain} />}</Loaded>;
}

function Shown({ of }: { of: Chain }) {
  const { say } = useWords();
  const { label } = useHouse();
  const check = of.lastCheck;
  const isBad = check !== null && (check.problems.length > 0 || check.failingPlaces.length > 0);
  return (
    <section className="panel chain" aria-labelledby="chain">
      <div className="title">
        <h2 id="chain">{say('audit.chainState')}</h2>
        {!check ? <Tag tone="waiting">{say('audit.unchecked')}</Tag> : isBad ? <Tag tone="bad">{say('audit.broken')}</Tag> : <Tag tone="good" icon="shield">{say('audit.whole')}</Tag>}
      </div>
      {isBad && (
        <ul className="note">
          {check.problems.map((p) => <li key={`${p.kind} ${p.number}`}>{label('AuditProblemKind', p.kind)} (№ {p.number})</li>)}
          {check.failingPlaces.map((p) => <li key={p}>{say('audit.placeFails', { place: p })}</li>)}
        </ul>
      )}
      <Facts>
        <Fact name={say('audit.head')} {...(of.head && { copy: `${of.head.number}:${of.head.hash}` })}>
          {of.head ? <span className="hash">{of.head.number}:{of.head.hash}</span> : <span className="muted">{say('audit.noHead')}</span>}
        </Fact>
        {of.keptFrom !== null && <Fact name={say('audit.keptFrom')}><Moment at={of.keptFrom} /></Fact>}
        {check && (
          <Fact name={say('audit.checked')}><Moment at={check.at} />{check.verified && <span className="muted">{say('audit.upTo', { number: check.verified.number })}</span>}</Fact>
        )}
        <Fact name={say('audit.verify')}><code>vezne audit verify</code><Copy name={say('audit.verify')} text={`vezne audit verify${of.head ? ` --head ${of.head.number}:${of.head.hash}` : ''}`} /></Fact>
      </Facts>
    </section>
  );
}
