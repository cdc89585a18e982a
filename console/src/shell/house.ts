// Who is signed in and where: what the console asks for before it shows a screen.
import { createContext, useContext } from 'react';
import type { BeginQuery } from '../api/session.generated';
import { isFor, type Member, type Place } from './navigation';

export interface House {
  member: Member;
  installation: NonNullable<BeginQuery['installation']>;
  /** What the member proves themself with besides the password. */
  factors: NonNullable<BeginQuery['mySecondFactors']>;
  /** label is what people call a value of an enum of the API, in the language that is shown. */
  label(name: string, value: string): string;
  /** may reports whether the member has use of something that needs a permission or a role. */
  may(what: Pick<Place, 'needs' | 'roles' | 'isOfDemo' | 'isOfRestore'>): boolean;
}

export const HouseContext = createContext<House | null>(null);

export function useHouse(): House {
  const house = useContext(HouseContext);
  if (!house) throw new Error('useHouse before anybody is signed in');
  return house;
}

/** makeHouse is the house of what Begin answered, and of whether money moves since. */
export function makeHouse({ me, installation: begun, labels, mySecondFactors }: BeginQuery, standing?: Pick<House['installation'], 'isFrozen' | 'frozenAt'>): House | undefined {
  if (!me || !begun || !mySecondFactors) return undefined;
  const installation = { ...begun, ...standing };
  const words = new Map(labels?.flatMap(({ name, values }) => values.map((v) => [`${name}.${v.value}`, v.label] as const)));
  return {
    member: me,
    installation,
    factors: mySecondFactors,
    label: (name, value) => words.get(`${name}.${value}`) ?? value,
    may: (what) => isFor(what, me) && (!what.isOfDemo || installation.isDemo) && (!what.isOfRestore || installation.frozenAt !== null),
  };
}
