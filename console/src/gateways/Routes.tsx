// The rules that say which payments go where, in the order in which they are tried.
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Tag } from '../ui/facts';
import { AmountField, SelectField, Switch, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { whole } from '../ui/list/whole';
import { useWords } from '../words/words';
import { RoutesDocument, SaveRouteDocument, SitesToPickDocument, type GatewayKind, type RoutesQuery } from './gateways.generated';
import { useBounds, Working } from './parts';

type Rule = NonNullable<RoutesQuery['routeRules']>[number];
type Target = NonNullable<RoutesQuery['gatewayAccounts']>[number];
type Row = Rule & { target: Target | undefined };

const isKind: Record<GatewayKind, true> = { CARD: true, BANK: true, CRYPTO: true, WALLET: true, ACCOUNT: true };
const kinds = (Object.keys(isKind) as GatewayKind[]).filter((k) => k !== 'ACCOUNT');

const rules = defineList({
  title: 'routes.title',
  path: '/routes',
  filters: [],
  operation: RoutesDocument,
  variables: () => ({}),
  page: (result) => whole(result.routeRules
    ?.map((r): Row => ({ ...r, target: result.gatewayAccounts?.find((g) => g.id === r.gatewayId) }))
    .toSorted((a, b) => Number(b.isActive) - Number(a.isActive) || a.priority - b.priority || Number(a.id) - Number(b.id))),
  keyOf: (row) => row.id,
  none: 'routes.none',
  columns: [
    { name: 'gateways.priority', cell: (row) => <>{row.priority}</> },
    { name: 'routes.name', className: 'cell-name', cell: (row) => <RowLink>{row.name}</RowLink> },
    { name: 'routes.which', cell: (row) => <Which of={row} /> },
    { name: 'routes.to', cell: (row) => <To of={row} /> },
    { name: 'gateways.weight', cell: (row) => <>{row.weight}</> },
    { name: 'routes.state', cell: (row) => <Active of={row} /> },
    { name: 'routes.actions', cell: (row) => <Actions of={row} /> },
  ],
});

export function Routes() {
  const { say } = useWords();
  const { may } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <ListScreen list={rules} search={getRouteApi('/routes').useSearch()} above={<p className="lead">{say('routes.lead')}</p>} actions={(
        <>
          <Link to="/routes/who" search={{}} className="button"><Icon name="search" />{say('who.title')}</Link>
          {may({ needs: ['GATEWAYS_EDIT'] }) && <button type="button" className="button primary" onClick={() => setIsOpen(true)}><Icon name="plus" />{say('routes.new')}</button>}
        </>
      )} />
      {isOpen && <Editor close={() => setIsOpen(false)} />}
    </>
  );
}

function Which({ of }: { of: Row }) {
  const { say } = useWords();
  const { label } = useHouse();
  const bounds = useBounds();
  const parts = [
    of.kind && label('GatewayKind', of.kind), of.site?.name ?? of.provider?.name ?? (of.siteId ?? of.providerId ? say('routes.gone') : null),
    of.min !== null || of.max !== null ? bounds(of.min, of.max) : null,
  ].filter((p) => p !== null);
  return <>{parts.length === 0 ? say('routes.every') : parts.join(' · ')}</>;
}

function To({ of }: { of: Row }) {
  const { say } = useWords();
  if (!of.target) return <Tag tone="bad">{say('routes.gone')}</Tag>;
  return (
    <span className="statuses">
      <Link to="/gateways/$id" params={{ id: of.gatewayId }}>{of.target.name}</Link>
      {of.isActive && !of.target.isEnabled ? <Tag tone="bad">{say('routes.toOff')}</Tag> : <Working of={of.target} />}
    </span>
  );
}

function Active({ of }: { of: Row }) {
  const { say } = useWords();
  return of.isActive ? <Tag tone="good">{say('routes.active')}</Tag> : <Tag tone="idle">{say('routes.inactive')}</Tag>;
}

function Actions({ of }: { of: Row }) {
  const { say } = useWords();
  const { may } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  if (!may({ needs: ['GATEWAYS_EDIT'] })) return null;
  return (
    <>
      <button type="button" className="button" aria-label={say('routes.editOf', { name: of.name })} onClick={() => setIsOpen(true)}>{say('routes.edit')}</button>
      {isOpen && <Editor of={of} close={() => setIsOpen(false)} />}
    </>
  );
}

/** useSites are the sites of all providers, to be picked. */
export function useSites() {
  return useQuery({
    queryKey: ['sitesToPick'], queryFn: ({ signal }) => ask(SitesToPickDocument, {}, signal),
    select: (data) => data.providers?.nodes ?? [], staleTime: 60_000,
  }).data ?? [];
}

function Editor({ of, close }: { of?: Row; close: () => void }) {
  const { say } = useWords();
  const { label, installation } = useHouse();
  const providers = useSites();
  const targets = useQuery({ queryKey: ['/routes', {}], queryFn: ({ signal }) => ask(RoutesDocument, {}, signal), select: (data) => data.gatewayAccounts }).data ?? [];
  const [name, setName] = useState(of?.name ?? '');
  const [kind, setKind] = useState<string>(of?.kind ?? '');
  const [whose, setWhose] = useState(of?.siteId ? `site/${of.siteId}` : of?.providerId ? `provider/${of.providerId}` : '');
  const [min, setMin] = useState(of?.min ?? '');
  const [max, setMax] = useState(of?.max ?? '');
  const [gatewayId, setGatewayId] = useState(of?.gatewayId ?? '');
  const [priority, setPriority] = useState(String(of?.priority ?? 0));
  const [weight, setWeight] = useState(String(of?.weight ?? 1));
  const [isActive, setIsActive] = useState(of?.isActive ?? true);
  const save = useAct(SaveRouteDocument, { said: say('routes.saved'), done: close });
  const [what, id] = whose.split('/');
  const target = targets.find((t) => t.id === gatewayId);
  const currency = installation.currencies[0] ?? 'TRY';
  return (
    <ActDialog title={say(of ? 'routes.edit' : 'routes.new')} isOpen close={close} act={save} go={say('routes.save')} submit={() => void save.act({ input: {
      ...(of && { id: of.id }), name, kind: kind === '' ? null : kind as GatewayKind, providerId: what === 'provider' ? id : null, siteId: what === 'site' ? id : null,
      min: min || null, max: max || null, gatewayId, priority: Number(priority), weight: Number(weight), isActive,
    } })}>
      <TextField name="name" label={say('routes.name')} value={name} onChange={setName} isRequired max={191} />
      <SelectField name="kind" label={say('routes.kind')} value={kind} onChange={setKind} none={say('routes.anyKind')} options={kinds.map((k) => ({ id: k, name: label('GatewayKind', k) }))} />
      <SelectField name="providerId" label={say('routes.whose')} value={whose} onChange={setWhose} none={say('routes.anybody')} options={providers.flatMap((p) => [
        { id: `provider/${p.id}`, name: p.name }, ...(p.sites ?? []).map((s) => ({ id: `site/${s.id}`, name: `${p.name} · ${s.name}` })),
      ])} />
      <AmountField name="min" label={say('routes.min')} currency={currency} value={min} onChange={setMin} />
      <AmountField name="max" label={say('routes.max')} currency={currency} value={max} onChange={setMax} />
      <SelectField name="gatewayId" label={say('routes.to')} value={gatewayId} onChange={setGatewayId} isRequired none={say('routes.choose')} options={targets} />
      {target && !target.isEnabled && <p className="note"><Icon name="warning" /> {say('routes.toOffLead', { name: target.name })}</p>}
      <TextField name="priority" type="number" label={say('gateways.priority')} value={priority} onChange={setPriority} isRequired hint={say('gateways.priorityHint')} />
      <TextField name="weight" type="number" label={say('gateways.weight')} value={weight} onChange={setWeight} isRequired hint={say('gateways.weightHint')} />
      <Switch name="isActive" label={say('routes.counts')} isOn={isActive} onChange={setIsActive} />
    </ActDialog>
  );
}
