// What a dealer's and a provider's own people keep: the screen that the house has of their dealer or provider, narrowed by the API and by
// what their role may do, and the ways to their work.
import { Link } from '@tanstack/react-router';
import { DealerOf } from '../owners/Dealer';
import { ProviderOf } from '../owners/Provider';
import type { Place } from '../shell/navigation';
import { useHouse } from '../shell/house';
import { Icon } from '../ui/Icon';
import { State } from '../ui/State';
import { useWords } from '../words/words';

type Way = Pick<Place, 'icon' | 'name' | 'needs'> & { to: '/transactions' | '/callbacks' | '/customers' | '/statistics' | '/approvals' | '/desk' | '/deposits' | '/wallets' };

const ways: readonly Way[] = [
  { to: '/transactions', icon: 'list', name: 'own.transactions' },
  { to: '/deposits', icon: 'down_tray', name: 'own.deposits', needs: ['DEPOSITS_DECIDE'] },
  { to: '/desk', icon: 'send', name: 'own.desk', needs: ['WITHDRAWALS_DECIDE'] },
  { to: '/wallets', icon: 'wallet', name: 'own.wallets', needs: ['WALLETS_READ'] },
  { to: '/callbacks', icon: 'bell', name: 'own.callbacks', needs: ['TRANSACTIONS_READ'] },
  { to: '/customers', icon: 'person', name: 'own.customers', needs: ['CUSTOMERS_READ'] },
  { to: '/statistics', icon: 'chart', name: 'own.statistics', needs: ['STATISTICS_READ'] },
  { to: '/approvals', icon: 'shield', name: 'own.requests', needs: ['APPROVALS_READ'] },
];

export function Own() {
  const { say } = useWords();
  const { member, may } = useHouse();
  if (member.providerId === null && member.dealerId === null) return <State icon="search" title={say('own.none')} />;
  return (
    <div className="stack">
      <div>{member.providerId !== null ? <ProviderOf id={member.providerId} /> : member.dealerId !== null && <DealerOf id={member.dealerId} />}</div>
      <section className="panel" aria-labelledby="ways">
        <h2 id="ways">{say('own.ways')}</h2>
        <ul className="actions">
          {ways.filter((way) => may(way)).map((way) => (
            <li key={way.to}><Link to={way.to} search={{}} className="button quiet"><Icon name={way.icon} />{say(way.name)}</Link></li>
          ))}
        </ul>
      </section>
    </div>
  );
}
