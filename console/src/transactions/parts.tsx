import { useHouse } from '../shell/house';
import { useWords } from '../words/words';
import type { TransactionMethod } from './transactions.generated';

/** Money is an exact amount with its currency. */
export function Money({ of: { amount, currency } }: { of: { amount: string; currency: string } }) {
  const { money } = useWords();
  return <>{money(amount, currency)}</>;
}

export function Method({ of }: { of: TransactionMethod }) {
  const { label } = useHouse();
  return <>{label('TransactionMethod', of)}</>;
}
