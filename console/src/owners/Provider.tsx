// One provider: its settings, keys and sites.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { BrandEditor } from '../brand/Brand';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Fact, Facts, Moment } from '../ui/facts';
import { SelectField, Switch, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { Loaded, Top } from '../ui/Screen';
import { useWords } from '../words/words';
import { AcknowledgementField, TestCallback, UrlEditor, UrlFacts, UrlFields, urlsOf } from './Callbacks';
import { OldKeys, OneTimeKeys, Rotate, type Issued } from './Keys';
import {
  CreateSiteDocument, DealersToPickDocument, ProviderDocument, RotateProviderDocument, RotateSiteDocument, UpdateProviderDocument, UpdateSiteDocument,
  type ProviderQuery,
} from './owners.generated';
import { Active, Addresses, AddressesField, readAddresses, readReturns, ReturnFields, returnsOf, Turn } from './parts';
import { Demand, Mode } from './Signature';

type Whole = NonNullable<ProviderQuery['provider']>;
type Site = NonNullable<Whole['sites']>[number];

const kinds = ['DEPOSIT', 'EIBAN_DEPOSIT', 'WITHDRAWAL', 'CREDIT_CARD'] as const;
const keys = ['API_KEY', 'SECRET_KEY', 'VERIFICATION_KEY', 'WEBHOOK_SECRET'] as const;

export function Provider() {
  return <ProviderOf id={getRouteApi('/providers/$id').useParams().id} />;
}

export function ProviderOf({ id }: { id: string }) {
  const seesDealers = useHouse().may({ needs: ['DEALERS_READ'] });
  const found = useQuery({ queryKey: ['/providers', id], queryFn: ({ signal }) => ask(ProviderDocument, { id, seesDealers }, signal), select: (data) => data.provider });
  return <Loaded of={found}>{(p) => <Shown of={p} />}</Loaded>;
}

function Shown({ of }: { of: Whole }) {
  const { say } = useWords();
  const { may, member } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const update = useAct(UpdateProviderDocument, { said: say('owners.saved') });
  const mayEdit = may({ needs: ['PROVIDERS_EDIT'] });
  return (
    <>
      <Top {...(member.providerId === null ? { to: '/providers', of: say('providers.title') } : { to: '/', of: say('nav.home') })} title={of.name} state={<Active isActive={of.isActive} />} actions={mayEdit && (
        <>
          <Turn isActive={of.isActive} act={update} name={of.name} lead={say(of.isActive ? 'providers.offDoes' : 'providers.onDoes')}
            turn={(isActive) => update.act({ input: { id: of.id, isActive } })} />
          <button type="button" className="button primary" onClick={() => setIsOpen(true)}>{say('owners.edit')}</button>
        </>
      )} />
      <div className="panels">
        <div className="stack">
          <Sites of={of} mayEdit={mayEdit} />
          <section className="panel" aria-labelledby="urls">
            <div className="title">
              <h2 id="urls">{say('owners.callbacks')}</h2>
              <span className="actions">
                {!mayEdit && <UrlEditor whose={{ providerId: of.id }} of={of} hint={say('owners.urlHint')} />}
                <TestCallback to={{ providerId: of.id }} kinds={kinds} />
              </span>
            </div>
            <UrlFacts of={urlsOf(of)} none={say('owners.noUrl')} acknowledgement={of.callbackAcknowledgement} />
          </section>
        </div>
        <div className="stack">
          <section className="panel" aria-labelledby="facts">
            <h2 id="facts">{say('owners.settings')}</h2>
            <Facts>
              <Fact name={say('owners.id')} copy={of.id}>{of.id}</Fact>
              <Fact name={say('owners.card')}>{say(of.isCreditCardEnabled ? 'banking.yes' : 'banking.no')}</Fact>
              <Fact name={say('providers.language')}>{of.language === 'tr' ? 'Türkçe' : 'English'}</Fact>
              <Fact name={say('owners.addresses')}><Addresses of={of.ipWhitelist} /></Fact>
              <Fact name={say('owners.created')}><Moment at={of.createdAt} /></Fact>
              <Fact name={say('owners.changed')}><Moment at={of.updatedAt} /></Fact>
            </Facts>
          </section>
          <section className="panel" aria-labelledby="keys">
            <div className="title"><h2 id="keys">{say('keys.heading')}</h2><Rotate id={of.id} kinds={keys} old={of.oldCredentials} operation={RotateProviderDocument} name={of.name} /></div>
            <Facts>
              <Fact name={say('owners.key')}><code>…{of.credentialEnding}</code></Fact>
              <Fact name={say('owners.signature')}>
                <Mode of={of.signatureMode} />
                {mayEdit && <Demand mode={of.signatureMode} act={update} name={of.name} set={(signatureMode) => update.act({ input: { id: of.id, signatureMode } })} />}
              </Fact>
            </Facts>
            <OldKeys of={of.oldCredentials} />
          </section>
        </div>
      </div>
      {isOpen && <Editor of={of} close={() => setIsOpen(false)} />}
    </>
  );
}

function Editor({ of, close }: { of: Whole; close: () => void }) {
  const { say } = useWords();
  const [name, setName] = useState(of.name);
  const [language, setLanguage] = useState(of.language);
  const [urls, setUrls] = useState(urlsOf(of));
  const [callbackAcknowledgement, setAcknowledgement] = useState(of.callbackAcknowledgement);
  const [addresses, setAddresses] = useState(of.ipWhitelist.join('\n'));
  const [isCard, setIsCard] = useState(of.isCreditCardEnabled);
  const save = useAct(UpdateProviderDocument, { said: say('owners.saved'), done: close });
  return (
    <ActDialog title={say('owners.edit')} isOpen close={close} act={save} go={say('owners.save')} isWide submit={() => void save.act({
      input: { id: of.id, name, language, ...urls, callbackAcknowledgement, ipWhitelist: readAddresses(addresses), isCreditCardEnabled: isCard },
    })}>
      <TextField name="name" label={say('owners.name')} value={name} onChange={setName} isRequired max={191} />
      <SelectField name="language" label={say('providers.language')} value={language} onChange={setLanguage} hint={say('providers.languageHint')}
        options={[{ id: 'tr', name: 'Türkçe' }, { id: 'en', name: 'English' }]} />
      <Switch name="isCreditCardEnabled" label={say('owners.card')} isOn={isCard} onChange={setIsCard} />
      <UrlFields urls={urls} onChange={setUrls} hint={say('owners.urlHint')} />
      <AcknowledgementField value={callbackAcknowledgement} onChange={setAcknowledgement} />
      <AddressesField value={addresses} onChange={setAddresses} />
    </ActDialog>
  );
}

function Sites({ of, mayEdit }: { of: Whole; mayEdit: boolean }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const sites = of.sites ?? [];
  const [made, setMade] = useState<{ name: string; issued: readonly Issued[] }>();
  return (
    <section className="panel" aria-labelledby="sites">
      <div className="title">
        <h2 id="sites">{say('providers.sites')}</h2>
        {mayEdit && <button type="button" className="button" onClick={() => setIsOpen(true)}><Icon name="plus" />{say('sites.new')}</button>}
      </div>
      {sites.length === 0 && <p className="muted">{say('sites.none')}</p>}
      <ul className="entries">{sites.map((s) => <One key={s.id} of={s} mayEdit={mayEdit} />)}</ul>
      {isOpen && <SiteEditor providerId={of.id} close={() => setIsOpen(false)} issue={(name, issued) => { setIsOpen(false); setMade({ name, issued }); }} />}
      <OneTimeKeys title={say('keys.issued', { name: made?.name ?? '' })} issued={made?.issued} close={() => setMade(undefined)} />
    </section>
  );
}

function One({ of, mayEdit }: { of: Site; mayEdit: boolean }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const update = useAct(UpdateSiteDocument, { said: say('owners.saved') });
  const own = Object.fromEntries(Object.entries(urlsOf(of)).filter(([, url]) => url !== ''));
  return (
    <li>
      <div className="rows">
        <div>
          <p><b>{of.name}</b> <span className="muted">{say('owners.id')} {of.id}</span></p>
          <p className="muted">
            {of.dealerId !== null && (
              <>{say('sites.dealer')}: {of.dealer ? <Link to="/dealers/$id" params={{ id: of.dealer.id }} search={{}}>{of.dealer.name}</Link> : of.dealerId}{' '}</>
            )}
            {of.isIbanStrict && say('sites.strict')}
          </p>
          {of.returnOrigins.length > 0 && <p className="muted">{say('owners.returnOrigins')}: {of.returnOrigins.join(', ')}</p>}
        </div>
        <span className="actions">
          <Active isActive={of.isActive} />
          {mayEdit && (
            <>
              <Turn isActive={of.isActive} act={update} name={of.name} lead={say(of.isActive ? 'sites.offDoes' : 'sites.onDoes')}
                turn={(isActive) => update.act({ input: { id: of.id, isActive } })} />
              <button type="button" className="button" aria-label={say('sites.editOf', { name: of.name })} onClick={() => setIsOpen(true)}>{say('owners.edit')}</button>
            </>
          )}
          <Rotate id={of.id} kinds={['CREDENTIAL_KEY']} old={of.oldCredentials} operation={RotateSiteDocument} name={of.name} />
          <BrandEditor of={of} />
          {!mayEdit && <UrlEditor whose={{ siteId: of.id }} of={of} hint={say('sites.urlHint')} />}
          <TestCallback to={{ siteId: of.id }} kinds={kinds} />
        </span>
      </div>
      {Object.keys(own).length > 0 && <UrlFacts of={own} none="" />}
      <OldKeys of={of.oldCredentials} />
      {isOpen && <SiteEditor of={of} providerId="" close={() => setIsOpen(false)} issue={() => {}} />}
    </li>
  );
}

function SiteEditor({ of, providerId, close, issue }: {
  of?: Site; providerId: string; close: () => void; issue: (name: string, issued: readonly Issued[]) => void;
}) {
  const { say } = useWords();
  const [name, setName] = useState(of?.name ?? '');
  const [dealerId, setDealerId] = useState(of?.dealerId ?? '');
  const [isIbanStrict, setIsIbanStrict] = useState(of?.isIbanStrict ?? false);
  const [urls, setUrls] = useState(urlsOf(of));
  const [returns, setReturns] = useState(returnsOf(of));
  const dealers = useQuery({ queryKey: ['dealersToPick'], queryFn: ({ signal }) => ask(DealersToPickDocument, {}, signal), select: (data) => data.dealers?.nodes ?? [] }).data ?? [];
  const create = useAct(CreateSiteDocument, {
    said: say('sites.created'), done: ({ createSite: done }) => { if (done) issue(done.site.name, done.credentials); },
  });
  const update = useAct(UpdateSiteDocument, { said: say('owners.saved'), done: close });
  const set = Object.fromEntries(Object.entries(urls).filter(([, url]) => url.trim() !== ''));
  return (
    <ActDialog title={say(of ? 'owners.edit' : 'sites.new')} isOpen close={close} act={of ? update : create} go={say(of ? 'owners.save' : 'sites.create')} isWide submit={() => {
      if (of) void update.act({ input: { id: of.id, name, dealerId, isIbanStrict, ...urls, ...readReturns(returns) } });
      else void create.act({ input: { providerId, dealerId, name, isIbanStrict, ...set, ...readReturns(returns) } });
    }}>
      <TextField name="name" label={say('owners.name')} value={name} onChange={setName} isRequired max={191} />
      <SelectField name="dealerId" label={say('sites.dealer')} value={dealerId} onChange={setDealerId} isRequired none={say('sites.chooseDealer')} hint={say('sites.dealerHint')}
        options={dealers.filter((d) => d.isActive || d.id === dealerId)} />
      <Switch name="isIbanStrict" label={say('sites.strict')} isOn={isIbanStrict} onChange={setIsIbanStrict} hint={say('sites.strictHint')} />
      <ReturnFields returns={returns} onChange={setReturns} />
      <UrlFields urls={urls} onChange={setUrls} hint={say('sites.urlHint')} />
    </ActDialog>
  );
}
