// What narrows what remains, and what is known of each kind, as the API says it.
import type { Place } from '../shell/navigation';
import type { Filter } from '../ui/list/filters';
import type { RemainKind } from './restore.generated';

export const filters = [{ kind: 'flag', name: 'all', label: 'restore.showDone' }] as const satisfies readonly Filter[];

// In the order in which people look at them. A record, so that a kind that the API gets or loses fails the type check.
const order: Record<RemainKind, number> = {
  SETTINGS_ARE_OLDER: 0, PAID_BY_HAND: 1, DECIDED_BY_HAND: 2, NOT_ANSWERED: 3, UNKNOWN_PAYMENT: 4, NOT_LISTED: 5, STATEMENT_NOT_READ: 6,
};
export const kinds = (Object.keys(order) as RemainKind[]).toSorted((a, b) => order[a] - order[b]);

/** settings are what is as at the backup, and where it is looked at. */
export const settings = { staff: '/staff', providers: '/providers', dealers: '/dealers', gateways: '/gateways', rules: '/rules' } as const;
export type Setting = keyof typeof settings;

/** seenBy is who sees a setting, and may say that they have looked at it: of most everybody who may thaw. */
export const seenBy = (subject: string): Pick<Place, 'needs'> => (subject === 'staff' ? { needs: ['STAFF_READ'] } : {});
export const isSetting = (subject: string): subject is Setting => subject in settings;

/** activeOf is who works here, by role, of "as at 2026-11-27T03:00:00Z, active: admin 2, finance 1". */
export const activeOf = (detail: string) => [...(detail.split('active: ')[1] ?? '').matchAll(/([a-z_]+) (\d+)/g)].map((m) => ({ role: m[1]!.toUpperCase(), count: Number(m[2]) }));

/** amountOf is what "250.00 TRY, waiting" says of a payment; undefined where it says something else. */
export function amountOf(detail: string) {
  const found = /^(\d+(?:\.\d+)?) ([A-Z]{3}), (\w+)$/.exec(detail);
  return found ? { amount: found[1]!, currency: found[2]!, status: found[3]!.toUpperCase() } : undefined;
}

const listed = ['deposits', 'payouts', 'disputes'] as const;

/** notListed is what a gateway does not list, of "iyzico: deposits (it lists no payments), disputes". */
export const notListed = (detail: string) => listed.filter((what) => new RegExp(`(: |, )${what}`).test(detail));
