// What the main menu leads to, and for whom.
import type { MeQuery, Permission, Role } from '../api/operations.generated';
import type { IconName } from '../ui/Icon';
import type { Key } from '../words/words';

export type Member = NonNullable<MeQuery['me']>;

interface Place {
  name: Key;
  icon: IconName;
  to: '/transactions';
  needs: Permission;
}

interface Page {
  name: Key;
  icon: IconName;
  /** An address outside of the console. */
  href: string;
  roles: readonly Role[];
}

const places: (Place | Page)[] = [
  { name: 'nav.transactions', icon: 'list', to: '/transactions', needs: 'TRANSACTIONS_READ' },
  { name: 'nav.documentation', icon: 'book', href: '/docs', roles: ['ADMIN', 'DEALER', 'PROVIDER'] },
];

/** placesOf are those that a member has use of. The API refuses the others by itself. */
export const placesOf = (member: Member) => places.filter((p) => (
  'needs' in p ? member.permissions.includes(p.needs) : p.roles.includes(member.role)));
