// Every area: its routes, and its places in the main menu in the order of the menu. A new area is a folder and two lines here.
import * as account from './account/area';
import * as audit from './audit/area';
import * as banking from './banking/area';
import * as callbacks from './callbacks/area';
import * as deciding from './deciding/area';
import * as disputes from './disputes/area';
import * as gateways from './gateways/area';
import * as home from './home/area';
import * as jobs from './jobs/area';
import * as own from './own/area';
import * as owners from './owners/area';
import * as queues from './queues/area';
import * as restore from './restore/area';
import * as staff from './staff/area';
import * as transactions from './transactions/area';
import * as tryIt from './try/area';
import type { Place } from './shell/navigation';

export const routes = [
  ...home.routes, ...deciding.routes, ...transactions.routes, ...callbacks.routes, ...jobs.routes, ...banking.routes, ...disputes.routes,
  ...own.routes, ...owners.routes, ...gateways.routes, ...staff.routes, ...audit.routes, ...queues.routes, ...restore.routes, ...account.routes, ...tryIt.routes,
] as const;

export const places: readonly Place[] = [
  ...home.places, ...tryIt.places, ...deciding.places, ...transactions.places, ...callbacks.places, ...jobs.places, ...banking.places, ...disputes.places,
  ...own.places, ...owners.places, ...gateways.places, ...staff.places, ...audit.places, ...queues.places, ...restore.places,
  { name: 'nav.documentation', icon: 'book', to: { href: '/docs' }, group: 'installation', roles: ['ADMIN', 'DEALER', 'DEALER_MANAGER', 'PROVIDER', 'PROVIDER_MANAGER'] },
];
