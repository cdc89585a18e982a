// How the payment page of a site, or of a dealer's own payments, looks: what is set, and what comes of it on a light and on a dark page.
import { useEffect, useState, type ReactNode } from 'react';
import { useHouse } from '../shell/house';
import { useAct, type Act } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Trouble, TextField } from '../ui/Form';
import { useWords, type Key } from '../words/words';
import { UpdateDealerDocument, type DealerQuery, type ProviderQuery } from '../owners/owners.generated';
import { UpdateSiteBrandDocument } from './brand.generated';

type Site = NonNullable<NonNullable<ProviderQuery['provider']>['sites']>[number];
type Dealer = NonNullable<DealerQuery['dealer']>;
type Branded = Pick<Site, 'id' | 'name' | 'homeUrl' | 'brand'>;
type Brand = Site['brand'];
type Scheme = NonNullable<Brand['onLight']>;

/** What a logo may have, in bytes: the API's bound. */
const MAX_LOGO = 16 * 1024;

const texts = [
  ['displayName', 'brand.name', 60, 'brand.nameHint'], ['color', 'brand.color', 7, 'brand.colorHint'], ['supportEmail', 'brand.email', 191, undefined],
  ['supportPhone', 'brand.phone', 32, undefined], ['supportUrl', 'brand.page', 2000, 'brand.https'], ['termsUrl', 'brand.terms', 2000, 'brand.https'],
  ['privacyUrl', 'brand.privacy', 2000, 'brand.https'], ['homeUrl', 'brand.home', 2000, 'brand.homeHint'], ['returnLabel', 'brand.label', 40, 'brand.labelHint'],
] as const satisfies readonly (readonly [string, Key, number, Key | undefined])[];

type Texts = Record<(typeof texts)[number][0], string>;

const textsOf = ({ brand, homeUrl }: Branded): Texts => ({
  displayName: brand.displayName ?? '', color: brand.color ?? '', supportEmail: brand.supportEmail ?? '', supportPhone: brand.supportPhone ?? '',
  supportUrl: brand.supportUrl ?? '', termsUrl: brand.termsUrl ?? '', privacyUrl: brand.privacyUrl ?? '', homeUrl: homeUrl ?? '',
  returnLabel: brand.returnLabel ?? '',
});

type Logo = { logo?: string }; // base64; absent: as it is

/** BrandEditor changes a site's brand, for whoever may do that. */
export function BrandEditor({ of }: { of: Site }) {
  return <Opener of={of} needs="BRANDS_EDIT">{(close) => <OfSite of={of} close={close} />}</Opener>;
}

/** DealerBrandEditor changes the brand of a dealer's own payments, likewise. */
export function DealerBrandEditor({ of }: { of: Dealer }) {
  return <Opener of={of} needs="DEALERS_EDIT">{(close) => <OfDealer of={of} close={close} />}</Opener>;
}

function Opener({ of, needs, children }: { of: Branded; needs: 'BRANDS_EDIT' | 'DEALERS_EDIT'; children: (close: () => void) => ReactNode }) {
  const { say } = useWords();
  const { may } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  if (!may({ needs: [needs] })) return null;
  return (
    <>
      <button type="button" className="button" aria-label={say('brand.editOf', { name: of.name })} onClick={() => setIsOpen(true)}>{say('brand.edit')}</button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}

function OfSite({ of, close }: { of: Site; close: () => void }) {
  const { say } = useWords();
  const save = useAct(UpdateSiteBrandDocument, { said: say('owners.saved'), done: close });
  return <Editor of={of} close={close} act={save} save={(texts, logo) => void save.act({ input: { siteId: of.id, ...texts, ...logo } })} />;
}

function OfDealer({ of, close }: { of: Dealer; close: () => void }) {
  const { say } = useWords();
  const save = useAct(UpdateDealerDocument, { said: say('owners.saved'), done: close });
  return <Editor of={of} close={close} act={save} save={({ homeUrl, ...texts }, logo) => void save.act({ input: { id: of.id, homeUrl, brand: { ...texts, ...logo } } })} />;
}

function Editor({ of, close, act, save }: {
  of: Branded; close: () => void; act: Pick<Act<unknown, never>, 'isBusy' | 'problem' | 'fields' | 'again' | 'clear'>; save: (texts: Texts, logo: Logo) => void;
}) {
  const { say } = useWords();
  const [values, setValues] = useState(() => textsOf(of));
  const [logo, setLogo] = useState<string>(); // base64; undefined: as it is
  const [trouble, setTrouble] = useState('');
  const take = async (file: File | undefined) => {
    setTrouble('');
    if (!file) return;
    if (file.size > MAX_LOGO) return setTrouble(say('brand.logoLarge'));
    const bytes = new Uint8Array(await file.arrayBuffer());
    setLogo(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
  };
  return (
    <ActDialog title={say('brand.editOf', { name: of.name })} isOpen close={close} act={act} go={say('owners.save')} isWide
      submit={() => save(values, logo === undefined ? {} : { logo })}>
      <p className="lead">{say('brand.lead')}</p>
      <Preview of={of} />
      <div className="field">
        <label htmlFor="brand-logo">{say('brand.logo')}</label>
        <input id="brand-logo" type="file" accept="image/svg+xml,image/png" aria-describedby="brand-logo-hint" onChange={(e) => void take(e.currentTarget.files?.[0])} />
        <p className="hint" id="brand-logo-hint">{say('brand.logoHint')}</p>
        <Trouble text={trouble || (act.fields['logo'] ?? '')} />
        {of.brand.logo !== null && logo === undefined && <button type="button" className="button" onClick={() => setLogo('')}>{say('brand.logoRemove')}</button>}
      </div>
      {texts.map(([name, label, max, hint]) => (
        <TextField key={name} name={name} label={say(label)} value={values[name]} max={max} onChange={(value) => setValues({ ...values, [name]: value })}
          {...(hint && { hint: say(hint) })} />
      ))}
    </ActDialog>
  );
}

/** Preview is what is set now, as the end of a payment shows it. */
function Preview({ of }: { of: Branded }) {
  const { say } = useWords();
  const { onLight, onDark, color } = of.brand;
  return (
    <section aria-label={say('brand.preview')} className="brand-previews">
      {([['light', onLight], ['dark', onDark]] as const).map(([scheme, colors]) => (
        <figure key={scheme}>
          <Sample of={of} scheme={scheme} colors={colors} />
          <figcaption className="hint">
            {say(scheme === 'light' ? 'brand.light' : 'brand.dark')}
            {colors?.isAdjusted && <> · {say('brand.adjusted', { set: color ?? '', shown: colors.brand })}</>}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}

const own = { light: { brand: '#0b6b50', soft: '#e2f2eb', on: '#ffffff' }, dark: { brand: '#58d3a4', soft: '#173a2e', on: '#05251a' } };

function Sample({ of, scheme, colors }: { of: Branded; scheme: 'light' | 'dark'; colors: Scheme | null }) {
  const { say } = useWords();
  const logo = usePicture(of.brand.logo);
  const name = of.brand.displayName ?? of.name;
  const { brand, on } = colors ?? own[scheme];
  return (
    <div className={`brand-sample ${scheme}`}>
      <p className="brand-top">
        {logo ? <img src={logo} alt="" /> : <span className="brand-mark" style={{ background: brand, color: on }} aria-hidden="true">{name.slice(0, 1)}</span>}
        <b>{name}</b>
      </p>
      <p>{say('brand.sampleTitle')}</p>
      {of.homeUrl && <p className="brand-button" style={{ background: brand, color: on }}>{of.brand.returnLabel ?? say('brand.sampleBack', { name })}</p>}
      {(of.brand.supportEmail ?? of.brand.supportPhone) && <p className="brand-help">{[of.brand.supportEmail, of.brand.supportPhone].filter((t) => t !== null).join(' · ')}</p>}
    </div>
  );
}

/** usePicture is an address of a picture that is given as a data: address, which the page's policy takes from nowhere else. */
function usePicture(data: string | null): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const [head, body] = (data ?? '').split(';base64,');
    if (!head || !body) return setAddress(undefined);
    const made = URL.createObjectURL(new Blob([Uint8Array.from(atob(body), (c) => c.charCodeAt(0))], { type: head.slice('data:'.length) }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return address;
}
