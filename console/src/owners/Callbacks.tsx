// Where callbacks go, and whether their receiver takes one.
import { useState } from 'react';
import { Body } from '../callbacks/Attempts';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Fact, Facts, Tag } from '../ui/facts';
import { SelectField, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { useWords, type Key } from '../words/words';
import { readReturns, ReturnFields, returnsOf, type Returns } from './parts';
import {
  SendTestCallbackDocument, UpdateCallbackUrlsDocument, type CallbackAcknowledgement, type CallbackKind, type SendTestCallbackMutation,
} from './owners.generated';

export const urlNames = ['callbackUrl', 'depositCallbackUrl', 'withdrawalCallbackUrl', 'creditCardCallbackUrl'] as const;
export type Urls = Record<(typeof urlNames)[number], string>;

const names: Record<keyof Urls, Key> = {
  callbackUrl: 'owners.callbackUrl', depositCallbackUrl: 'owners.depositCallbackUrl', withdrawalCallbackUrl: 'owners.withdrawalCallbackUrl',
  creditCardCallbackUrl: 'owners.creditCardCallbackUrl',
};

/** urlsOf are the addresses as a form has them: an empty text is none. */
export const urlsOf = (of: Partial<Record<keyof Urls, string | null>> | undefined): Urls => ({
  callbackUrl: of?.callbackUrl ?? '', depositCallbackUrl: of?.depositCallbackUrl ?? '', withdrawalCallbackUrl: of?.withdrawalCallbackUrl ?? '',
  creditCardCallbackUrl: of?.creditCardCallbackUrl ?? '',
});

export function UrlFields({ urls, onChange, hint }: { urls: Urls; onChange: (urls: Urls) => void; hint: string }) {
  const { say } = useWords();
  return (
    <>
      {urlNames.map((name, i) => (
        <TextField key={name} name={name} type="url" label={say(names[name])} value={urls[name]} max={2048} onChange={(value) => onChange({ ...urls, [name]: value })}
          {...(i === 0 && { hint })} />
      ))}
    </>
  );
}

const acknowledgements: readonly CallbackAcknowledgement[] = ['STATUS_200', 'ANY_2XX'];

/** AcknowledgementField says which answers of a receiver acknowledge a callback. */
export function AcknowledgementField({ value, onChange }: { value: CallbackAcknowledgement; onChange: (value: CallbackAcknowledgement) => void }) {
  const { say } = useWords();
  const { label } = useHouse();
  return (
    <SelectField name="callbackAcknowledgement" label={say('owners.acknowledgement')} value={value} hint={say('owners.acknowledgementHint')}
      onChange={(chosen) => onChange(chosen as CallbackAcknowledgement)} options={acknowledgements.map((id) => ({ id, name: label('CallbackAcknowledgement', id) }))} />
  );
}

export function UrlFacts({ of, none, acknowledgement }: {
  of: Partial<Record<keyof Urls, string | null>>; none: string; acknowledgement?: CallbackAcknowledgement;
}) {
  const { say } = useWords();
  const { label } = useHouse();
  return (
    <Facts>
      {urlNames.filter((name) => name in of).map((name) => (
        <Fact key={name} name={say(names[name])}>{of[name] ? <code className="long">{of[name]}</code> : <span className="muted">{none}</span>}</Fact>
      ))}
      {acknowledgement && <Fact name={say('owners.acknowledgement')}>{label('CallbackAcknowledgement', acknowledgement)}</Fact>}
    </Facts>
  );
}

/**
 * UrlEditor changes where callbacks go, which answers acknowledge a provider's, and where a site's customers are led back to, for whoever may
 * change that and nothing else of a provider or a site.
 */
export function UrlEditor({ whose, of, hint }: {
  whose: { providerId: string } | { siteId: string };
  of: Parameters<typeof urlsOf>[0] & {
    name: string; returnOrigins?: readonly string[]; homeUrl?: string | null; callbackAcknowledgement?: CallbackAcknowledgement;
  };
  hint: string;
}) {
  const { say } = useWords();
  const { may } = useHouse();
  const [urls, setUrls] = useState<Urls>();
  const [returns, setReturns] = useState<Returns>();
  const [callbackAcknowledgement, setAcknowledgement] = useState(of.callbackAcknowledgement);
  const open = () => {
    setUrls(urlsOf(of));
    setAcknowledgement(of.callbackAcknowledgement);
    setReturns(of.returnOrigins && returnsOf({ returnOrigins: of.returnOrigins, homeUrl: of.homeUrl }));
  };
  const save = useAct(UpdateCallbackUrlsDocument, { said: say('owners.saved'), done: () => setUrls(undefined) });
  if (!may({ needs: ['CALLBACKS_EDIT'] })) return null;
  return (
    <>
      <button type="button" className="button" aria-label={say('own.urlsEditOf', { name: of.name })} onClick={open}>{say('own.urlsEdit')}</button>
      {urls && (
        <ActDialog title={say('own.urlsEditOf', { name: of.name })} isOpen close={() => setUrls(undefined)} act={save} go={say('owners.save')} isWide
          submit={() => void save.act({ input: {
            ...whose, ...urls, ...(returns && readReturns(returns)), ...(callbackAcknowledgement && { callbackAcknowledgement }),
          } })}>
          <p className="lead">{say('own.urlsLead')}</p>
          <UrlFields urls={urls} onChange={setUrls} hint={hint} />
          {callbackAcknowledgement && <AcknowledgementField value={callbackAcknowledgement} onChange={setAcknowledgement} />}
          {returns && <p className="lead">{say('own.returnsLead')}</p>}
          {returns && <ReturnFields returns={returns} onChange={setReturns} />}
        </ActDialog>
      )}
    </>
  );
}

type Sent = NonNullable<SendTestCallbackMutation['sendTestCallback']>;

/** TestCallback sends one about no payment, and shows what the receiver answered. */
export function TestCallback({ to, kinds }: { to: { providerId: string } | { siteId: string } | { dealerId: string }; kinds: readonly CallbackKind[] }) {
  const { say } = useWords();
  const { label, may } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const [kind, setKind] = useState<string>(kinds[0] ?? 'DEPOSIT');
  const [sent, setSent] = useState<Sent>();
  const send = useAct(SendTestCallbackDocument, { done: ({ sendTestCallback: answer }) => setSent(answer ?? undefined) });
  if (!may({ needs: ['CALLBACKS_TEST'] })) return null;
  const close = () => {
    setIsOpen(false);
    setSent(undefined);
  };
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}><Icon name="send" />{say('owners.test')}</button>
      <ActDialog title={say('owners.test')} isOpen={isOpen} close={close} act={send} go={say(send.isBusy ? 'owners.testSending' : 'owners.testSend')} isWide
        submit={() => { setSent(undefined); void send.act({ input: { ...to, kind: kind as CallbackKind } }); }}>
        <p className="lead">{say('owners.testLead')}</p>
        {kinds.length > 1 && (
          <SelectField name="kind" label={say('owners.testKind')} value={kind} onChange={setKind} options={kinds.map((k) => ({ id: k, name: label('CallbackKind', k) }))} />
        )}
        <div role="status">
          {sent && (
            <>
              <p><Tag tone={sent.isAccepted ? 'good' : 'bad'}>{say(sent.isAccepted ? 'owners.testTaken' : 'owners.testNotTaken')}</Tag></p>
              <Facts>
                <Fact name={say('owners.testTo')}><code className="long">{sent.url}</code></Fact>
                <Fact name={say('callbacks.answer')}>
                  {sent.httpStatus === null ? say('callbacks.noAnswer') : `HTTP ${sent.httpStatus}`} · {say('callbacks.took', { ms: sent.durationMs })}
                </Fact>
                {sent.warning === 'NOT_STATUS_200' && <Fact name={say('owners.testWhy')}>{say('owners.testNearly', { status: String(sent.httpStatus) })}</Fact>}
                {sent.error !== null && <Fact name={say('owners.testWhy')}>{sent.error}</Fact>}
              </Facts>
              <Body of={sent.body} />
              {sent.answer !== '' && <div className="attempts"><pre tabIndex={0}>{sent.answer}</pre></div>}
            </>
          )}
        </div>
      </ActDialog>
    </>
  );
}
