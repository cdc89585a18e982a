// Every word in English, by area; one file of the browser's.
import shell from './en/shell.json';
import ui from './en/ui.json';
import home from './en/home.json';
import account from './en/account.json';
import transactions from './en/transactions.json';
import callbacks from './en/callbacks.json';
import jobs from './en/jobs.json';
import deciding from './en/deciding.json';
import desk from './en/desk.json';
import payouts from './en/payouts.json';
import bank from './en/bank.json';
import banking from './en/banking.json';
import approvals from './en/approvals.json';
import discrepancies from './en/discrepancies.json';
import disputes from './en/disputes.json';
import wallets from './en/wallets.json';
import customers from './en/customers.json';
import statistics from './en/statistics.json';
import owners from './en/owners.json';
import gateways from './en/gateways.json';
import staff from './en/staff.json';
import audit from './en/audit.json';
import queues from './en/queues.json';
import own from './en/own.json';
import restore from './en/restore.json';
import tryit from './en/tryit.json';
import brand from './en/brand.json';

export default {
  ...shell, ...ui, ...home, ...account, ...transactions, ...callbacks, ...jobs, ...deciding,
  ...desk, ...payouts, ...bank, ...banking, ...approvals, ...discrepancies, ...disputes, ...wallets, ...customers, ...statistics,
  ...owners, ...gateways, ...staff, ...audit, ...queues, ...own, ...restore, ...tryit, ...brand,
};
