// Written by Vezne's tests: a program of the documentation, of which the types are checked.
import { Dealer, Provider } from 'vezne';

const env = process.env;
const vezne = new Provider({
  baseUrl: env.PAY_URL, apiKey: env.PAY_API_KEY, secretKey: env.PAY_SECRET_KEY, credentialKey: env.PAY_CREDENTIAL_KEY, verificationKey: env.PAY_VERIFICATION_KEY,
});
const dealer = new Dealer({ baseUrl: env.PAY_URL, apiKey: env.PAY_DEALER_API_KEY, secretKey: env.PAY_DEALER_SECRET_KEY });
{
const answer = await vezne.welcome();
}
{
const answer = await vezne.sites();
}
{
const answer = await vezne.startManualDeposit({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.startManualWithdraw({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  iban: 'TR330006100519786457841326',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.startEibanDeposit({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.startEibanWithdraw({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  iban: 'TR330006100519786457841326',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.creditCardPayment({
  user_id: 'u-1001',
  username: 'ayse.yilmaz',
  firstname: 'Ayşe',
  lastname: 'Yılmaz',
  email: 'ayse@example.com',
  phone: '+905551112233',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.creditCardStatus({
  tracking_code: 'CC-0123456789ABCDEF',
});
}
{
const answer = await vezne.bankStartDeposit({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.bankGateways();
}
{
const answer = await vezne.bankStartWithdrawal({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  gateway_id: 1,
  iban: 'TR330006100519786457841326',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.cryptoStartDeposit({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.cryptoGateways();
}
{
const answer = await vezne.cryptoStartWithdrawal({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  gateway_id: 1,
  crypto_type: 'USDT (TRC20)',
  wallet_address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.walletStartDeposit({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.walletGateways();
}
{
const answer = await vezne.walletStartWithdrawal({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  gateway_id: 1,
  wallet_number: '1234567890',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await vezne.transactionStatus({
  tracking_code: 'MAN-0123456789ABCDEF',
});
}
{
const answer = await vezne.testClock({
  tracking_code: 'MAN-0123456789ABCDEF',
  seconds: 1800,
});
}
{
const answer = await dealer.settings();
}
{
const answer = await dealer.manualIbanDeposit({
  username: 'ayse.yilmaz',
  userid: 'u-1001',
  fullname: 'Ayşe Yılmaz',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await dealer.manualIbanWithdraw({
  username: 'ayse.yilmaz',
  userid: 'u-1001',
  amount: '250.00',
  recipient_name: 'Ayşe Yılmaz',
  recipient_iban: 'TR330006100519786457841326',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await dealer.eibans();
}
{
const answer = await dealer.transactions({
  wallet_id: 'W-1',
  start_date: '2026-03-01',
  end_date: '2026-03-02',
});
}
{
const answer = await dealer.sendMoney({
  wallet_id: 'W-1',
  recipient_iban: 'TR330006100519786457841326',
  recipient_name: 'Ayşe Yılmaz',
  amount: '250.00',
  description: 'Invoice 42',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await dealer.transferStatus({
  transfer_id: 'TRF-0123456789ABCDEF',
});
}
{
const answer = await dealer.creditCardPayment({
  username: 'ayse.yilmaz',
  firstname: 'Ayşe',
  lastname: 'Yılmaz',
  email: 'ayse@example.com',
  phone: '+905551112233',
  amount: '250.00',
  reference: 'order-4711',
}, 'order-4711-1');
}
{
const answer = await dealer.transactionStatus({
  reference: 'order-4711',
});
}
{
const answer = await dealer.testClock({
  tracking_code: 'WIT-0123456789ABCDEF',
  seconds: 1800,
});
}
{
const made = await vezne.startManualDeposit({
  fullname: 'Ayşe Yılmaz',
  username: 'ayse.yilmaz',
  user_id: 'u-1001',
  amount: '250.00',
  test: { outcome: 'completed', amount: '200.00', after: 3600 },
}, 'order-4711-2');
const answer = await vezne.testClock({ tracking_code: made.fields.data.tracking_code, seconds: 3600 });
}
