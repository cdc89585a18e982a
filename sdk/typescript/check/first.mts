// Written by Vezne's tests: a program of the documentation, of which the types are checked.
import { Provider, VezneError } from 'vezne';

const { PAY_URL, PAY_API_KEY, PAY_SECRET_KEY, PAY_CREDENTIAL_KEY } = process.env;
const vezne = new Provider({ baseUrl: PAY_URL, apiKey: PAY_API_KEY, secretKey: PAY_SECRET_KEY, credentialKey: PAY_CREDENTIAL_KEY });
try {
  const { fields } = await vezne.startManualDeposit(
    { fullname: 'Ayşe Yılmaz', username: 'ayse.yilmaz', user_id: 'u-1001', amount: '250.00', reference: 'order-4712' }, 'order-4712-payment-1');
  console.log(fields.data.payment_url);
} catch (e) {
  if (!(e instanceof VezneError)) throw e;
  console.error(`${e.message} (request ${e.requestId})`);
  if (e.mayRepeat) { /* later, with e.idempotencyKey */ }
}
