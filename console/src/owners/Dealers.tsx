// All dealers.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { AmountField, Switch, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { AcknowledgementField } from './Callbacks';
import { filterOf, filters, searchOf } from './filters';
import { OneTimeKeys, type Issued } from './Keys';
import {
  CreateDealerDocument, DealersDocument, UpdateDealerDocument, type CallbackAcknowledgement, type DealerQuery, type DealersQuery,
} from './owners.generated';
import { Active, AddressesField, readAddresses, readReturns, ReturnFields, returnsOf } from './parts';
import { Mode } from './Signature';

type Row = NonNullable<DealersQuery['dealers']>['nodes'][number];

const dealers = defineList({
  title: 'dealers.title',
  path: '/dealers',
  filters,
  operation: DealersDocument,
  variables: (s, page) => ({ filter: filterOf(s), ...page }),
  page: (result) => result.dealers,
  keyOf: (row) => row.id,
  rowPath: (row) => `/dealers/${row.id}`,
  none: 'dealers.none',
  views: { list: 'DEALERS', filterOf, searchOf },
  columns: [
    { name: 'owners.name', className: 'cell-name', cell: (row) => <RowLink>{row.name}</RowLink> },
    { name: 'owners.state', cell: (row) => <Active isActive={row.isActive} /> },
    { name: 'dealers.takes', cell: (row) => <Takes of={row} /> },
    { name: 'accounts.title', cell: (row) => <Count of={row} /> },
    { name: 'owners.signature', cell: (row) => <Mode of={row.signatureMode} /> },
    { name: 'owners.key', cell: (row) => <code>…{row.credentialEnding}</code> },
  ],
});

export function Dealers() {
  const { may } = useHouse();
  return <ListScreen list={dealers} search={getRouteApi('/dealers').useSearch()} actions={may({ needs: ['DEALERS_EDIT'] }) && <New />} />;
}

function Count({ of }: { of: Row }) {
  const { say } = useWords();
  return <>{say('dealers.accountCount', { count: of.accounts?.length ?? 0, active: of.accounts?.filter((a) => a.isActive).length ?? 0 })}</>;
}

export function Takes({ of }: { of: Pick<Row, 'isCreditCardEnabled' | 'isEibanEnabled' | 'isManualIbanEnabled'> }) {
  const { say } = useWords();
  const list = [of.isManualIbanEnabled && say('dealers.manual'), of.isEibanEnabled && say('dealers.eiban'), of.isCreditCardEnabled && say('dealers.card')].filter((x) => x !== false);
  return list.length === 0 ? <span className="muted">{say('dealers.takesNothing')}</span> : <>{list.join(', ')}</>;
}

function New() {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  const [made, setMade] = useState<{ id: string; name: string; issued: readonly Issued[] }>();
  const leave = () => {
    const id = made?.id;
    setMade(undefined);
    if (id !== undefined) void navigate({ to: '/dealers/$id', params: { id }, search: {} });
  };
  return (
    <>
      <button type="button" className="button primary" onClick={() => setIsOpen(true)}><Icon name="plus" />{say('dealers.new')}</button>
      {isOpen && <DealerEditor close={() => setIsOpen(false)} issue={(id, name, issued) => { setIsOpen(false); setMade({ id, name, issued }); }} />}
      <OneTimeKeys title={say('keys.issued', { name: made?.name ?? '' })} issued={made?.issued} close={leave} />
    </>
  );
}

export function DealerEditor({ of, close, issue }: {
  of?: NonNullable<DealerQuery['dealer']>; close: () => void; issue?: (id: string, name: string, issued: readonly Issued[]) => void;
}) {
  const { say } = useWords();
  const { installation } = useHouse();
  const [name, setName] = useState(of?.name ?? '');
  const [isManualIbanEnabled, setIsManual] = useState(of?.isManualIbanEnabled ?? true);
  const [isEibanEnabled, setIsEiban] = useState(of?.isEibanEnabled ?? false);
  const [isCreditCardEnabled, setIsCard] = useState(of?.isCreditCardEnabled ?? false);
  const [handCreditMax, setHandCreditMax] = useState(of?.handCreditMax ?? '');
  const [creditCardCallbackUrl, setUrl] = useState(of?.creditCardCallbackUrl ?? '');
  const [callbackUrl, setDepositUrl] = useState(of?.callbackUrl ?? '');
  const [withdrawalCallbackUrl, setWithdrawalUrl] = useState(of?.withdrawalCallbackUrl ?? '');
  const [callbackAcknowledgement, setAcknowledgement] = useState<CallbackAcknowledgement>(of?.callbackAcknowledgement ?? 'STATUS_200');
  const [returns, setReturns] = useState(returnsOf(of));
  const [addresses, setAddresses] = useState(of?.ipWhitelist.join('\n') ?? '');
  const create = useAct(CreateDealerDocument, {
    said: say('dealers.created'), done: ({ createDealer: done }) => { if (done) issue?.(done.dealer.id, done.dealer.name, done.credentials); },
  });
  const update = useAct(UpdateDealerDocument, { said: say('owners.saved'), done: close });
  const shared = {
    name, isManualIbanEnabled, isEibanEnabled, isCreditCardEnabled, handCreditMax: handCreditMax || '0', callbackUrl, withdrawalCallbackUrl, callbackAcknowledgement,
    ipWhitelist: readAddresses(addresses), ...readReturns(returns),
  };
  return (
    <ActDialog title={say(of ? 'owners.edit' : 'dealers.new')} isOpen close={close} act={of ? update : create} go={say(of ? 'owners.save' : 'dealers.create')} isWide submit={() => {
      if (of) void update.act({ input: { id: of.id, ...shared, creditCardCallbackUrl } });
      else void create.act({ input: { ...shared, ...(creditCardCallbackUrl.trim() !== '' && { creditCardCallbackUrl }) } });
    }}>
      <TextField name="name" label={say('owners.name')} value={name} onChange={setName} isRequired max={191} />
      <Switch name="isManualIbanEnabled" label={say('dealers.manual')} isOn={isManualIbanEnabled} onChange={setIsManual} />
      <Switch name="isEibanEnabled" label={say('dealers.eiban')} isOn={isEibanEnabled} onChange={setIsEiban} />
      <Switch name="isCreditCardEnabled" label={say('dealers.card')} isOn={isCreditCardEnabled} onChange={setIsCard} />
      <AmountField name="handCreditMax" label={say('dealers.handMax')} currency={installation.currencies[0] ?? 'TRY'} value={handCreditMax} onChange={setHandCreditMax} hint={say('dealers.handMaxHint')} />
      <TextField name="callbackUrl" type="url" label={say('dealers.depositUrl')} value={callbackUrl} onChange={setDepositUrl} max={2048} />
      <TextField name="withdrawalCallbackUrl" type="url" label={say('dealers.withdrawalUrl')} value={withdrawalCallbackUrl} onChange={setWithdrawalUrl} max={2048} />
      <TextField name="creditCardCallbackUrl" type="url" label={say('owners.creditCardCallbackUrl')} value={creditCardCallbackUrl} onChange={setUrl} max={2048} />
      <AcknowledgementField value={callbackAcknowledgement} onChange={setAcknowledgement} />
      <ReturnFields returns={returns} onChange={setReturns} />
      <AddressesField value={addresses} onChange={setAddresses} />
    </ActDialog>
  );
}
