// A gateway account's settings, as its plugin asks for them.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { AmountField, Form, SelectField, Switch, TextArea, TextField } from '../ui/Form';
import { Loaded, Top } from '../ui/Screen';
import { useWords } from '../words/words';
import { useGateway, usePlugins } from './Gateway';
import {
  CreateGatewayDocument, UpdateGatewayDocument, type GatewayEnvironment, type GatewayPluginsQuery, type GatewayQuery,
} from './gateways.generated';

type Plugin = NonNullable<GatewayPluginsQuery['gatewayPlugins']>[number];
type Account = NonNullable<GatewayQuery['gatewayAccount']>;

export function NewGateway() {
  const { say } = useWords();
  const [code, setCode] = useState('');
  return (
    <>
      <Top to="/gateways" of={say('gateways.title')} title={say('gateways.new')} />
      <Loaded of={usePlugins()}>
        {(plugins) => {
          const plugin = plugins.find((p) => p.code === code) ?? plugins[0];
          return plugin && (
            <Editor key={plugin.code} plugin={plugin} choose={(
              <SelectField name="plugin" label={say('gateways.plugin')} value={plugin.code} onChange={setCode}
                options={plugins.map((p) => ({ id: p.code, name: p.title }))} />
            )} />
          );
        }}
      </Loaded>
    </>
  );
}

export function EditGateway() {
  const { say } = useWords();
  const { id } = getRouteApi('/gateways/$id/edit').useParams();
  const plugins = usePlugins();
  return (
    <Loaded of={useGateway(id)}>
      {(account) => (
        <>
          <Top to="/gateways" of={say('gateways.title')} title={account.name} />
          <Loaded of={plugins}>
            {(all) => {
              const plugin = all.find((p) => p.code === account.plugin);
              return plugin ? <Editor plugin={plugin} account={account} /> : <p className="note">{say('gateways.pluginGone')}</p>;
            }}
          </Loaded>
        </>
      )}
    </Loaded>
  );
}

interface Draft {
  environment: string; name: string; code: string; description: string; isEnabled: boolean; priority: string; weight: string;
  min: string; max: string; approvalFrom: string; config: Record<string, string>;
}

function draftOf(plugin: Plugin, a?: Account): Draft {
  return {
    environment: a?.environment ?? plugin.environments[0]?.name ?? 'PRODUCTION',
    name: a?.name ?? '', code: a?.code ?? '', description: a?.description ?? '', isEnabled: a?.isEnabled ?? false,
    priority: String(a?.priority ?? 0), weight: String(a?.weight ?? 1), min: a?.min ?? '', max: a?.max ?? '', approvalFrom: a?.approvalFrom ?? '',
    config: Object.fromEntries(plugin.config.map((f) => [f.name, a ? a.config.find((c) => c.name === f.name)?.value ?? '' : f.default ?? ''])),
  };
}

function Editor({ plugin, account, choose }: { plugin: Plugin; account?: Account; choose?: React.ReactNode }) {
  const { say } = useWords();
  const { label, installation } = useHouse();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => draftOf(plugin, account));
  const set = (change: Partial<Draft>) => setDraft((d) => ({ ...d, ...change }));
  const open = (id: string | undefined) => {
    if (id !== undefined) void navigate({ to: '/gateways/$id', params: { id } });
  };
  const create = useAct(CreateGatewayDocument, { said: say('gateways.created'), done: (r) => open(r.createGatewayAccount?.gatewayAccount.id) });
  const update = useAct(UpdateGatewayDocument, { said: say('gateways.saved'), done: (r) => open(r.updateGatewayAccount?.gatewayAccount.id) });
  const currency = installation.currencies[0] ?? 'TRY';
  const shared = {
    name: draft.name, code: draft.code, description: draft.description, isEnabled: draft.isEnabled, priority: Number(draft.priority), weight: Number(draft.weight),
  };
  const submit = () => {
    const config = Object.entries(draft.config).map(([name, value]) => ({ name, value }));
    if (!account) {
      void create.act({ input: {
        ...shared, plugin: plugin.code, environment: draft.environment as GatewayEnvironment, min: draft.min || null, max: draft.max || null,
        approvalFrom: draft.approvalFrom || null, config: config.filter((c) => c.value !== ''),
      } });
      return;
    }
    const before = draftOf(plugin, account).config; // a secret is sent where a new one was typed
    void update.act({ input: {
      ...shared, id: account.id, min: draft.min || '0', max: draft.max || '0', approvalFrom: draft.approvalFrom || '0',
      config: config.filter((c) => c.value !== before[c.name]),
    } });
  };
  return (
    <Form act={account ? update : create} go={say(account ? 'gateways.save' : 'gateways.create')} submit={submit}>
      <div className="panels">
        <section className="panel" aria-labelledby="connection">
          <h2 id="connection">{say('gateways.connection')}</h2>
          {choose}
          {plugin.notice !== null && <p className="note">{plugin.notice}</p>}
          {!account && (
            <SelectField name="environment" label={say('gateways.environment')} value={draft.environment} onChange={(environment) => set({ environment })}
              options={plugin.environments.map((e) => ({ id: e.name, name: label('GatewayEnvironment', e.name) }))} hint={say('gateways.environmentStays')} />
          )}
          {plugin.config.map((f) => (
            <Setting key={f.name} of={f} value={draft.config[f.name] ?? ''} isSet={account?.config.find((c) => c.name === f.name)?.isSet ?? false}
              onChange={(value) => setDraft((d) => ({ ...d, config: { ...d.config, [f.name]: value } }))} />
          ))}
        </section>
        <section className="panel" aria-labelledby="use">
          <h2 id="use">{say('gateways.use')}</h2>
          <TextField name="name" label={say('gateways.name')} value={draft.name} onChange={(name) => set({ name })} isRequired max={191} hint={say('gateways.nameHint')} />
          <TextField name="code" label={say('gateways.code')} value={draft.code} onChange={(code) => set({ code })} isRequired max={64} hint={say('gateways.codeHint')} />
          <TextArea name="description" label={say('gateways.description')} value={draft.description} onChange={(description) => set({ description })} />
          <Switch name="isEnabled" label={say('gateways.takes')} isOn={draft.isEnabled} onChange={(isEnabled) => set({ isEnabled })} hint={say('gateways.takesHint')} />
          <AmountField name="min" label={say('gateways.min')} currency={currency} value={draft.min} onChange={(min) => set({ min })} hint={say('gateways.boundHint')} />
          <AmountField name="max" label={say('gateways.max')} currency={currency} value={draft.max} onChange={(max) => set({ max })} />
          {plugin.payout && (
            <AmountField name="approvalFrom" label={say('gateways.approvalFrom')} currency={currency} value={draft.approvalFrom}
              onChange={(approvalFrom) => set({ approvalFrom })} hint={say('gateways.approvalFromHint')} />
          )}
          <TextField name="priority" type="number" label={say('gateways.priority')} value={draft.priority} onChange={(priority) => set({ priority })} isRequired hint={say('gateways.priorityHint')} />
          <TextField name="weight" type="number" label={say('gateways.weight')} value={draft.weight} onChange={(weight) => set({ weight })} isRequired hint={say('gateways.weightHint')} />
        </section>
      </div>
    </Form>
  );
}

function Setting({ of: f, value, isSet, onChange }: { of: Plugin['config'][number]; value: string; isSet: boolean; onChange: (value: string) => void }) {
  const { say } = useWords();
  const hints = [f.help, f.type === 'SECRET' && isSet ? say('gateways.keepSecret') : null, f.isRotating && isSet ? say('gateways.rotates') : null];
  const hint = hints.filter((h) => h !== null).join(' ');
  const common = { name: f.name, label: f.label, value, onChange, ...(hint !== '' && { hint }) };
  switch (f.type) {
    case 'BOOL': return <Switch name={f.name} label={f.label} isOn={value === 'true'} onChange={(on) => onChange(String(on))} {...(hint !== '' && { hint })} />;
    case 'CHOICE': return <SelectField {...common} isRequired={f.isRequired} options={f.choices.map((c) => ({ id: c, name: c }))} {...(!f.isRequired && { none: say('gateways.ownDefault') })} />;
    case 'SECRET': return <TextField {...common} type="password" complete="new-password" max={4096} isRequired={f.isRequired && !isSet} />;
    case 'URL': return <TextField {...common} type="url" max={2048} isRequired={f.isRequired} />;
    default: return <TextField {...common} max={4096} isRequired={f.isRequired} />;
  }
}
