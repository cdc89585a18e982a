// All providers.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { SelectField, Switch, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { UrlFields, urlsOf } from './Callbacks';
import { filterOf, filters, searchOf } from './filters';
import { OneTimeKeys, type Issued } from './Keys';
import { CreateProviderDocument, ProvidersDocument, type ProvidersQuery } from './owners.generated';
import { Active, AddressesField, readAddresses } from './parts';
import { Mode } from './Signature';

type Row = NonNullable<ProvidersQuery['providers']>['nodes'][number];

const providers = defineList({
  title: 'providers.title',
  path: '/providers',
  filters,
  operation: ProvidersDocument,
  variables: (s, page) => ({ filter: filterOf(s), ...page }),
  page: (result) => result.providers,
  keyOf: (row) => row.id,
  rowPath: (row) => `/providers/${row.id}`,
  none: 'providers.none',
  views: { list: 'PROVIDERS', filterOf, searchOf },
  columns: [
    { name: 'owners.name', className: 'cell-name', cell: (row) => <RowLink>{row.name}</RowLink> },
    { name: 'owners.state', cell: (row) => <Active isActive={row.isActive} /> },
    { name: 'providers.sites', cell: (row) => <Sites of={row} /> },
    { name: 'owners.signature', cell: (row) => <Mode of={row.signatureMode} /> },
    { name: 'owners.key', cell: (row) => <code>…{row.credentialEnding}</code> },
    { name: 'owners.callbackUrl', cell: (row) => <Url of={row} /> },
  ],
});

export function Providers() {
  const { may } = useHouse();
  return <ListScreen list={providers} search={getRouteApi('/providers').useSearch()} actions={may({ needs: ['PROVIDERS_EDIT'] }) && <New />} />;
}

function Sites({ of }: { of: Row }) {
  const { say } = useWords();
  return <>{say('providers.siteCount', { count: of.sites?.length ?? 0, active: of.sites?.filter((s) => s.isActive).length ?? 0 })}</>;
}

function Url({ of }: { of: Row }) {
  const { say } = useWords();
  return of.callbackUrl === null ? <span className="muted">{say('owners.noUrl')}</span> : <code className="long">{of.callbackUrl}</code>;
}

function New() {
  const { say } = useWords();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const [language, setLanguage] = useState('tr');
  const [urls, setUrls] = useState(urlsOf({}));
  const [addresses, setAddresses] = useState('');
  const [isCard, setIsCard] = useState(false);
  const [made, setMade] = useState<{ id: string; issued: readonly Issued[] }>();
  const create = useAct(CreateProviderDocument, {
    said: say('providers.created'),
    done: ({ createProvider: done }) => {
      setIsOpen(false);
      if (done) setMade({ id: done.provider.id, issued: done.credentials });
    },
  });
  const leave = () => {
    const id = made?.id;
    setMade(undefined);
    if (id !== undefined) void navigate({ to: '/providers/$id', params: { id }, search: {} });
  };
  const set = Object.fromEntries(Object.entries(urls).filter(([, url]) => url.trim() !== ''));
  return (
    <>
      <button type="button" className="button primary" onClick={() => setIsOpen(true)}><Icon name="plus" />{say('providers.new')}</button>
      <ActDialog title={say('providers.new')} isOpen={isOpen} close={() => setIsOpen(false)} act={create} go={say('providers.create')} isWide submit={() => void create.act({
        input: { name, language, ...set, ipWhitelist: readAddresses(addresses), isCreditCardEnabled: isCard },
      })}>
        <TextField name="name" label={say('owners.name')} value={name} onChange={setName} isRequired max={191} />
        <SelectField name="language" label={say('providers.language')} value={language} onChange={setLanguage} hint={say('providers.languageHint')}
          options={[{ id: 'tr', name: 'Türkçe' }, { id: 'en', name: 'English' }]} />
        <Switch name="isCreditCardEnabled" label={say('owners.card')} isOn={isCard} onChange={setIsCard} />
        <UrlFields urls={urls} onChange={setUrls} hint={say('owners.urlLater')} />
        <AddressesField value={addresses} onChange={setAddresses} />
      </ActDialog>
      <OneTimeKeys title={say('keys.issued', { name })} issued={made?.issued} close={leave} />
    </>
  );
}
