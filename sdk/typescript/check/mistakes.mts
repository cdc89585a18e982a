// What the types keep a developer from: each line below a @ts-expect-error does not compile, and the check fails where one does.

import { Dealer, Provider, verifyCallback, VezneError } from 'vezne';

const provider = new Provider({ baseUrl: process.env['PAY_URL'], apiKey: process.env['PAY_API_KEY'], secretKey: process.env['PAY_SECRET_KEY'] });
const dealer = new Dealer({ baseUrl: process.env['PAY_URL'], secretKey: process.env['PAY_DEALER_SECRET_KEY'], siteToken: process.env['PAY_SITE_TOKEN'] });
const customer = { fullname: 'Ayşe Yılmaz', username: 'ayse.yilmaz', user_id: 'u-1001' };
const iban = 'TR330006100519786457841326';

// @ts-expect-error 1: no secret key
new Provider({ baseUrl: 'https://pay.example', apiKey: 'vzp_example' });
// @ts-expect-error 2: another library's name for it
new Provider({ baseURL: 'https://pay.example', apiKey: 'vzp_example', secretKey: 'vzs_example' });
// @ts-expect-error 3: there are v2 and hash
new Provider({ baseUrl: 'https://pay.example', apiKey: 'vzp_example', secretKey: 'vzs_example', signing: 'hmac' });
// @ts-expect-error 4: no user_id
provider.startManualDeposit({ fullname: 'Ayşe Yılmaz', username: 'ayse.yilmaz', amount: '250.00' });
// @ts-expect-error 5: in camel case
provider.startManualDeposit({ ...customer, amount: '250.00', returnUrl: 'https://shop.example/orders/1' });
// @ts-expect-error 6: a currency, which no call takes
provider.startManualDeposit({ ...customer, amount: '250.00', currency: 'USD' });
// @ts-expect-error 7: a callback's address, which is a setting
provider.startManualDeposit({ ...customer, amount: '250.00', callback_url: 'https://shop.example/callback' });
// @ts-expect-error 8: a language that the page does not have
provider.startManualDeposit({ ...customer, amount: '250.00', language: 'de' });
// @ts-expect-error 9: an amount as an object
provider.startManualDeposit({ ...customer, amount: { value: 250, currency: 'TRY' } });
// @ts-expect-error 10: a withdrawal without an account
provider.startManualWithdraw({ ...customer, amount: '250.00' });
// @ts-expect-error 11: a withdrawal has no page to come back from
provider.startManualWithdraw({ ...customer, iban, amount: '250.00', return_url: 'https://shop.example' });
// @ts-expect-error 12: gateway_id is a number, from bankGateways
provider.bankStartWithdrawal({ ...customer, iban, amount: '250.00', gateway_id: 'sandbox' });
// @ts-expect-error 13: a wallet's number for a coin's address
provider.cryptoStartWithdrawal({ ...customer, amount: '250.00', gateway_id: 1, crypto_type: 'USDT (TRC20)', wallet_number: '1' });
// @ts-expect-error 14: an outcome that there is not
provider.startManualDeposit({ ...customer, amount: '250.00', test: { outcome: 'success' } });
// @ts-expect-error 15: by how much?
provider.testClock({ reference: 'order-4711' });
// @ts-expect-error 16: of which payment?
provider.transactionStatus({});
// @ts-expect-error 17: a dealer's customer has a userid
dealer.manualIbanDeposit({ ...customer, amount: '250.00' });
// @ts-expect-error 18: no transfer is a test
dealer.sendMoney({ wallet_id: 'w-1', recipient_iban: iban, recipient_name: 'Ayşe Yılmaz', amount: '250.00', test: {} });
// @ts-expect-error 19: a body that was parsed has other bytes than those that were signed
verifyCallback({}, { tracking_code: 'MAN-0123456789ABCDEF' }, 'whsec_example');

const checked = verifyCallback(new Headers(), '{}', 'whsec_example');
// @ts-expect-error 20: who does not look at ok has no event
checked.event.amount;
// @ts-expect-error 21: an amount is text, and not to be added up
if (checked.ok) checked.event.amount * 100;
// @ts-expect-error 22: without await there is no answer yet
provider.welcome().fields;

try {
  await provider.welcome();
} catch (e) {
  // @ts-expect-error 23: whatever was thrown need not be the library's
  e.mayRepeat;
  // @ts-expect-error 24: the header's name
  if (e instanceof VezneError) e.request_id;
}
