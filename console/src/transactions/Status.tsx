import { useHouse } from '../shell/house';
import { Icon, type IconName } from '../ui/Icon';
import { useWords } from '../words/words';
import type { TransactionStatus } from './transactions.generated';

// The sort of a status is said by a picture and a color, and the status itself by its word.
const looks: Record<TransactionStatus, [tone: string, icon: IconName]> = {
  SHOWING: ['idle', 'eye'],
  PENDING: ['waiting', 'clock'],
  PROCESSING: ['waiting', 'moving'],
  COMPLETED: ['good', 'check'],
  CANCELED: ['idle', 'close'],
  EXPIRED: ['idle', 'clock'],
  REJECTED: ['bad', 'close'],
  FAILED: ['bad', 'warning'],
  REFUNDED: ['idle', 'back'],
};

export function Status({ status, isOverdue = false }: { status: TransactionStatus; isOverdue?: boolean }) {
  const { say } = useWords();
  const { label } = useHouse();
  const [tone, icon] = looks[status];
  return (
    <span className="statuses">
      <span className={`status ${tone}`}><Icon name={icon} />{label('TransactionStatus', status)}</span>
      {isOverdue && <span className="status bad"><Icon name="warning" />{say('transactions.overdue')}</span>}
    </span>
  );
}
