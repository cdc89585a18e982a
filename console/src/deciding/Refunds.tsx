// Refunds that wait for a second person: of what, who asks, and what would be left.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../api/client';
import { useLive } from '../api/live';
import { useThrottled } from '../home/work';
import { Age } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { RefundRequestsChangedDocument, RefundRequestsDocument } from './deciding.generated';

const isRefund = (action: string) => action === 'refundTransaction' || action === 'refundDiscrepancy';

export function Refunds() {
  const { say, money, language } = useWords();
  const found = useQuery({
    queryKey: ['/payouts', 'refunds', language],
    queryFn: ({ signal }) => ask(RefundRequestsDocument, {}, signal),
    select: (data) => data.approvals?.nodes.filter((a) => isRefund(a.action)) ?? [],
  });
  const refresh = useThrottled(() => void found.refetch(), 1000);
  useLive(RefundRequestsChangedDocument, {}, refresh);
  const list = found.data ?? [];
  if (list.length === 0) return null;
  const sum = (m: { amount: string; asset: string }) => money(m.amount, m.asset);
  return (
    <section className="refunds" aria-labelledby="refunds">
      <h2 id="refunds">{say('payouts.refunds')}</h2>
      <ul className="news">
        {list.map((a) => {
          const t = a.preview?.transaction;
          return (
            <li key={a.id}>
              <Icon name="back" />
              <span>
                <b>{a.amount && sum(a.amount)}</b> {t && <>{say('payouts.of', { amount: money(t.amount, t.currency), name: t.customer.fullname })} · </>}
                {t && <Link to="/transactions/$code" params={{ code: t.trackingCode }} search={{}} className="iban">{t.trackingCode}</Link>}
                <span className="second">
                  {a.requestedBy.name} · <Age at={a.createdAt} />
                  {a.reason !== null && ` · ${a.reason}`}
                  {a.preview?.leftToRefund && ` · ${say('deciding.left', { amount: sum(a.preview.leftToRefund) })}`}
                </span>
              </span>
              <Link to="/approvals/$id" params={{ id: a.id }} className="button">{say(a.isForYou ? 'transaction.decideRequest' : 'act.toRequest')}</Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
