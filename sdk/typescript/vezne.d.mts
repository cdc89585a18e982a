/** Decimal text, such as '250.00'. A whole number is taken, too; a number with decimals is refused. */
export type Amount = string;
type Sent = Amount | number | bigint;

/** An answer. A field or a value that is newer than these types is simply there. */
export interface Answer {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  fields: Record<string, any>;
  raw: string;
  status: number;
  requestId: string;
  idempotencyKey: string;
  isReplayed: boolean;
}

/** signing: 'v2' covers all of a request and is the default, 'hash' is the contract's. clock: Unix seconds. */
export interface Options {
  signing?: 'v2' | 'hash';
  language?: 'tr' | 'en';
  timeoutMs?: number;
  clock?: () => number;
  fetch?: typeof globalThis.fetch;
}

export declare class VezneError extends Error {
  /** 0: there was no answer, and what became of the call is unknown. */
  status: number;
  error: string;
  code: string;
  errors: { field: string; code: string }[];
  requestId: string;
  raw: string;
  idempotencyKey: string;
  retryAfter: number | undefined;
  get mayRepeat(): boolean;
}

/** What is to happen to a payment, in test installations alone: any other refuses the field. {} makes a test payment that goes its own way. */
export interface Test {
  outcome?: 'completed' | 'canceled' | 'rejected' | 'failed' | 'expired' | 'paid_late';
  amount?: Sent;
  error_code?: string;
  after?: number;
  callbacks?: 'twice' | 'retried' | 'reordered' | 'wrong_signature';
  callback_delay?: number;
}

interface Referred { reference?: string; test?: Test }
interface Paged extends Referred { return_url?: string; language?: 'tr' | 'en' }
interface Customer { fullname: string; username: string; user_id: string }
interface CardHolder { username: string; firstname: string; lastname: string; email: string; phone: string; amount: Sent; description?: string }

export interface Deposit extends Customer, Paged { amount: Sent }
export interface Withdrawal extends Customer, Referred { iban: string; amount: Sent }
export interface CardPayment extends CardHolder, Paged { user_id: string; credential_key?: string }
export interface BankWithdrawal extends Withdrawal { gateway_id: number }
export interface CryptoWithdrawal extends Customer, Referred { amount: Sent; gateway_id: number; crypto_type: string; wallet_address: string }
export interface WalletWithdrawal extends Customer, Referred { amount: Sent; gateway_id: number; wallet_number: string }
export type Which = { tracking_code: string } | { reference: string };
/** Which payment, and by how many seconds its clock is moved. */
export type Clock = Which & { seconds: number };

/** As it comes from the environment. One that is needed and missing is refused with a TypeError. */
type Setting = string | undefined;

export declare class Provider {
  constructor(settings: { baseUrl: Setting; apiKey: Setting; secretKey: Setting; credentialKey?: Setting; verificationKey?: Setting } & Options);
  welcome(): Promise<Answer>;
  sites(): Promise<Answer>;
  startManualDeposit(fields: Deposit, idempotencyKey?: string): Promise<Answer>;
  startManualWithdraw(fields: Withdrawal, idempotencyKey?: string): Promise<Answer>;
  startEibanDeposit(fields: Deposit, idempotencyKey?: string): Promise<Answer>;
  startEibanWithdraw(fields: Withdrawal, idempotencyKey?: string): Promise<Answer>;
  creditCardPayment(fields: CardPayment, idempotencyKey?: string): Promise<Answer>;
  creditCardStatus(fields: { tracking_code: string }): Promise<Answer>;
  bankStartDeposit(fields: Deposit, idempotencyKey?: string): Promise<Answer>;
  bankGateways(): Promise<Answer>;
  bankStartWithdrawal(fields: BankWithdrawal, idempotencyKey?: string): Promise<Answer>;
  cryptoStartDeposit(fields: Deposit, idempotencyKey?: string): Promise<Answer>;
  cryptoGateways(): Promise<Answer>;
  cryptoStartWithdrawal(fields: CryptoWithdrawal, idempotencyKey?: string): Promise<Answer>;
  walletStartDeposit(fields: Deposit, idempotencyKey?: string): Promise<Answer>;
  walletGateways(): Promise<Answer>;
  walletStartWithdrawal(fields: WalletWithdrawal, idempotencyKey?: string): Promise<Answer>;
  transactionStatus(fields: Which): Promise<Answer>;
  testClock(fields: Clock): Promise<Answer>;
}

export interface Offer extends Referred { username: string; userid: string; fullname: string; amount: Sent }
export interface ManualWithdrawal extends Referred { username: string; userid: string; amount: Sent; recipient_name: string; recipient_iban: string }
export interface Transfer extends Omit<Referred, 'test'> { wallet_id: string; recipient_iban: string; recipient_name: string; amount: Sent; description?: string }

export declare class Dealer {
  constructor(settings: { baseUrl: Setting; secretKey: Setting; apiKey?: Setting; siteToken?: Setting } & Options);
  settings(): Promise<Answer>;
  manualIbanDeposit(fields: Offer, idempotencyKey?: string): Promise<Answer>;
  manualIbanWithdraw(fields: ManualWithdrawal, idempotencyKey?: string): Promise<Answer>;
  eibans(): Promise<Answer>;
  transactions(fields: { wallet_id: string; start_date: string; end_date: string; page?: string }): Promise<Answer>;
  sendMoney(fields: Transfer, idempotencyKey?: string): Promise<Answer>;
  transferStatus(fields: { transfer_id: string }): Promise<Answer>;
  creditCardPayment(fields: CardHolder & Paged, idempotencyKey?: string): Promise<Answer>;
  transactionStatus(fields: Which): Promise<Answer>;
  testClock(fields: Clock): Promise<Answer>;
}

/** A callback's fields. A field or a value that is newer than these types is simply there. */
export interface Callback {
  tracking_code: string;
  status: string;
  amount: Amount;
  timestamp: number;
  hash: string;
  sequence: number;
  correction?: { previous_amount: Amount };
  dispute?: { id: string; state: string; reason: string; amount: Amount; withdrawn: Amount; reinstated: Amount; evidence_due?: string };
  reference?: string;
  reason?: string;
  paid_by?: string;
  [field: string]: unknown;
}

export type Reason = 'no_signature' | 'stale' | 'future' | 'wrong_secret' | 'body_changed';
export type Verified = { ok: true; reason: ''; event: Callback } | { ok: false; reason: Reason; event?: undefined };
export type Headers = Record<string, string | string[] | undefined> | { entries(): IterableIterator<[string, string]> };
type Check = { tolerance?: number; now?: number };

export declare function verifyCallback(headers: Headers, body: Uint8Array | ArrayBuffer | string, secrets: string | string[], check?: Check): Verified;
export declare function verifyHash(
  headers: Headers, body: Uint8Array | ArrayBuffer | string, apiKey: string, secrets: string | string[], check?: Check,
): Verified;
export declare function signHash(apiKey: string, secretKey: string, middle: string, timestamp: string): string;
export declare function signV2(secretKey: string, method: string, target: string, headers: Record<string, string>, body: Uint8Array | string): string;
