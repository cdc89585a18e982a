// Every word in Turkish, by area; one file of the browser's.
import type { Key } from './words';
import shell from './tr/shell.json';
import ui from './tr/ui.json';
import home from './tr/home.json';
import account from './tr/account.json';
import transactions from './tr/transactions.json';
import callbacks from './tr/callbacks.json';
import jobs from './tr/jobs.json';
import deciding from './tr/deciding.json';
import desk from './tr/desk.json';
import payouts from './tr/payouts.json';
import bank from './tr/bank.json';
import banking from './tr/banking.json';
import approvals from './tr/approvals.json';
import discrepancies from './tr/discrepancies.json';
import disputes from './tr/disputes.json';
import wallets from './tr/wallets.json';
import customers from './tr/customers.json';
import statistics from './tr/statistics.json';
import owners from './tr/owners.json';
import gateways from './tr/gateways.json';
import staff from './tr/staff.json';
import audit from './tr/audit.json';
import queues from './tr/queues.json';
import own from './tr/own.json';
import restore from './tr/restore.json';
import tryit from './tr/tryit.json';
import brand from './tr/brand.json';

export default {
  ...shell, ...ui, ...home, ...account, ...transactions, ...callbacks, ...jobs, ...deciding,
  ...desk, ...payouts, ...bank, ...banking, ...approvals, ...discrepancies, ...disputes, ...wallets, ...customers, ...statistics,
  ...owners, ...gateways, ...staff, ...audit, ...queues, ...own, ...restore, ...tryit, ...brand,
} satisfies Record<Key, string>;
