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
