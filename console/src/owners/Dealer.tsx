// One dealer: its settings, keys, IBAN accounts and the tokens of its websites.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Fact, Facts, Moment, Tag } from '../ui/facts';
import { Switch, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { Loaded, Top } from '../ui/Screen';
import { useWords } from '../words/words';
import { DealerBrandEditor } from '../brand/Brand';
import { Accounts } from './Accounts';
import { TestCallback, UrlFacts } from './Callbacks';
import { DealerEditor, Takes } from './Dealers';
import { OldKeys, OneTimeKeys, Rotate, type Issued } from './Keys';
import {
  CreateSiteTokenDocument, DealerDocument, RotateDealerDocument, RotateSiteTokenDocument, UpdateDealerDocument, UpdateSiteTokenDocument, type DealerQuery,
} from './owners.generated';
import { Active, Addresses, Turn } from './parts';
import { Demand, Mode } from './Signature';

type Whole = NonNullable<DealerQuery['dealer']>;
type Token = NonNullable<Whole['siteTokens']>[number];

export function Dealer() {
  return <DealerOf id={getRouteApi('/dealers/$id').useParams().id} />;
}

export function DealerOf({ id }: { id: string }) {
  const found = useQuery({ queryKey: ['/dealers', id], queryFn: ({ signal }) => ask(DealerDocument, { id }, signal), select: (data) => data.dealer });
  return <Loaded of={found}>{(d) => <Shown of={d} />}</Loaded>;
}

function Shown({ of }: { of: Whole }) {
  const { say, money } = useWords();
  const { may, member, installation } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const update = useAct(UpdateDealerDocument, { said: say('owners.saved') });
  const mayEdit = may({ needs: ['DEALERS_EDIT'] });
  return (
    <>
      <Top {...(member.dealerId === null ? { to: '/dealers', of: say('dealers.title') } : { to: '/', of: say('nav.home') })} title={of.name} state={<Active isActive={of.isActive} />} actions={mayEdit && (
        <>
          <Turn isActive={of.isActive} act={update} name={of.name} lead={say(of.isActive ? 'dealers.offDoes' : 'dealers.onDoes')}
            turn={(isActive) => update.act({ input: { id: of.id, isActive } })} />
          <button type="button" className="button primary" onClick={() => setIsOpen(true)}>{say('owners.edit')}</button>
        </>
      )} />
      <div className="panels">
        <div className="stack">
          <Accounts dealerId={of.id} accounts={of.accounts ?? []} />
          <Tokens of={of} mayEdit={mayEdit} />
        </div>
        <div className="stack">
          <section className="panel" aria-labelledby="facts">
            <div className="title"><h2 id="facts">{say('owners.settings')}</h2><DealerBrandEditor of={of} /></div>
            <Facts>
              <Fact name={say('owners.id')} copy={of.id}>{of.id}</Fact>
              <Fact name={say('dealers.takes')}><Takes of={of} /></Fact>
              <Fact name={say('dealers.handMax')}>{of.handCreditMax === null ? say('dealers.handMaxNone') : money(of.handCreditMax, installation.currencies[0] ?? 'TRY')}</Fact>
              <Fact name={say('owners.addresses')}><Addresses of={of.ipWhitelist} /></Fact>
              <Fact name={say('owners.created')}><Moment at={of.createdAt} /></Fact>
              <Fact name={say('owners.changed')}><Moment at={of.updatedAt} /></Fact>
            </Facts>
          </section>
          <section className="panel" aria-labelledby="keys">
            <div className="title"><h2 id="keys">{say('keys.heading')}</h2><Rotate id={of.id} kinds={['API_KEY', 'SECRET_KEY']} old={of.oldCredentials} operation={RotateDealerDocument} name={of.name} /></div>
            <Facts>
              <Fact name={say('owners.key')}><code>…{of.credentialEnding}</code></Fact>
              <Fact name={say('owners.signature')}>
                <Mode of={of.signatureMode} />
                {mayEdit && <Demand mode={of.signatureMode} act={update} name={of.name} set={(signatureMode) => update.act({ input: { id: of.id, signatureMode } })} />}
              </Fact>
              <Fact name={say('dealers.idempotency')}><Idempotency of={of} mayEdit={mayEdit} /></Fact>
            </Facts>
            <OldKeys of={of.oldCredentials} />
          </section>
          <section className="panel" aria-labelledby="urls">
            <div className="title"><h2 id="urls">{say('owners.callbacks')}</h2><TestCallback to={{ dealerId: of.id }} kinds={['DEALER_DEPOSIT', 'DEALER_WITHDRAWAL', 'DEALER_TRANSFER', 'DEALER_CARD']} /></div>
            <UrlFacts of={{ callbackUrl: of.callbackUrl, withdrawalCallbackUrl: of.withdrawalCallbackUrl, creditCardCallbackUrl: of.creditCardCallbackUrl }} none={say('owners.noUrl')}
              acknowledgement={of.callbackAcknowledgement} />
          </section>
        </div>
      </div>
      {isOpen && <DealerEditor of={of} close={() => setIsOpen(false)} />}
    </>
  );
}

function Idempotency({ of, mayEdit }: { of: Whole; mayEdit: boolean }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const [isOn, setIsOn] = useState(of.isIdempotencyRequired);
  const save = useAct(UpdateDealerDocument, { said: say('owners.saved'), done: () => setIsOpen(false) });
  return (
    <>
      <Tag tone={of.isIdempotencyRequired ? 'good' : 'idle'}>{say(of.isIdempotencyRequired ? 'dealers.idempotencyOn' : 'dealers.idempotencyOff')}</Tag>
      {mayEdit && <button type="button" className="button" aria-label={say('dealers.idempotencyEdit')} onClick={() => setIsOpen(true)}>{say('owners.edit')}</button>}
      <ActDialog title={say('dealers.idempotency')} isOpen={isOpen} close={() => setIsOpen(false)} act={save} go={say('owners.save')}
        submit={() => void save.act({ input: { id: of.id, isIdempotencyRequired: isOn } })}>
        <p className="lead">{say('dealers.idempotencyLead')}</p>
        <Switch name="isIdempotencyRequired" label={say('dealers.idempotency')} isOn={isOn} onChange={setIsOn} />
      </ActDialog>
    </>
  );
}

function Tokens({ of, mayEdit }: { of: Whole; mayEdit: boolean }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ name: string; issued: readonly Issued[] }>();
  const create = useAct(CreateSiteTokenDocument, {
    said: say('tokens.created'),
    done: ({ createSiteToken: done }) => {
      setIsOpen(false);
      setName('');
      if (done) setMade({ name: done.siteToken.name, issued: done.credentials });
    },
  });
  const tokens = of.siteTokens ?? [];
  return (
    <section className="panel" aria-labelledby="tokens">
      <div className="title">
        <h2 id="tokens">{say('tokens.title')}</h2>
        {mayEdit && <button type="button" className="button" onClick={() => setIsOpen(true)}><Icon name="plus" />{say('tokens.new')}</button>}
      </div>
      {tokens.length === 0 && <p className="muted">{say('tokens.none')}</p>}
      <ul className="entries">{tokens.map((t) => <One key={t.id} of={t} mayEdit={mayEdit} />)}</ul>
      <ActDialog title={say('tokens.new')} isOpen={isOpen} close={() => setIsOpen(false)} act={create} go={say('tokens.create')} submit={() => void create.act({ input: { dealerId: of.id, name } })}>
        <p className="lead">{say('tokens.lead')}</p>
        <TextField name="name" label={say('tokens.website')} value={name} onChange={setName} isRequired max={191} />
      </ActDialog>
      <OneTimeKeys title={say('keys.issued', { name: made?.name ?? '' })} issued={made?.issued} close={() => setMade(undefined)} />
    </section>
  );
}

function One({ of, mayEdit }: { of: Token; mayEdit: boolean }) {
  const { say } = useWords();
  const update = useAct(UpdateSiteTokenDocument, { said: say('owners.saved') });
  return (
    <li>
      <div className="rows">
        <p><b>{of.name}</b> <code>…{of.credentialEnding}</code></p>
        <span className="actions">
          <Active isActive={of.isActive} />
          <Mode of={of.signatureMode} />
          {mayEdit && (
            <>
              <Turn isActive={of.isActive} act={update} name={of.name} lead={say(of.isActive ? 'tokens.offDoes' : 'tokens.onDoes')}
                turn={(isActive) => update.act({ input: { id: of.id, isActive } })} />
              <Demand mode={of.signatureMode} act={update} name={of.name} set={(signatureMode) => update.act({ input: { id: of.id, signatureMode } })} />
            </>
          )}
          <Rotate id={of.id} kinds={['SITE_TOKEN', 'SECRET_KEY']} old={of.oldCredentials} operation={RotateSiteTokenDocument} name={of.name} />
        </span>
      </div>
      <OldKeys of={of.oldCredentials} />
    </li>
  );
}
