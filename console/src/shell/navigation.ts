// What the main menu leads to, and for whom.
import type { LinkProps } from '@tanstack/react-router';
import type { BeginQuery, Permission, Role } from '../api/session.generated';
import type { OpenWorkKind } from '../home/home.generated';
import type { IconName } from '../ui/Icon';
import type { Key } from '../words/words';

export type Member = NonNullable<BeginQuery['me']>;

/** The parts of the menu, in their order. What belongs to none stands first. */
export const groups = ['work', 'money', 'owners', 'installation'] as const;
export type Group = (typeof groups)[number];

export interface Place {
  name: Key;
  icon: IconName;
  /** A screen, or an address outside of the console. */
  to: NonNullable<LinkProps['to']> | { href: string };
  group?: Group;
  /** Whoever has one of these permissions; absent: everybody. */
  needs?: readonly Permission[];
  /** Only these roles; absent: all. */
  roles?: readonly Role[];
  /** Only in a demo. */
  isOfDemo?: boolean;
  /** Only where a backup was restored once. */
  isOfRestore?: boolean;
  /** What waits there: its number stands beside the name. */
  badge?: OpenWorkKind;
}

/** isFor reports whether a member has use of a place. The API refuses the others by itself. */
export const isFor = ({ needs, roles }: Pick<Place, 'needs' | 'roles'>, { permissions, role }: Member) => (
  (needs?.some((n) => permissions.includes(n)) ?? true) && (roles?.includes(role) ?? true));
