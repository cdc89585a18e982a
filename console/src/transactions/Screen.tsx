// The list of transactions, and what can be done to many of them.
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { byProvider } from '../callbacks/filters';
import { ResendAll } from '../callbacks/Resend';
import { ExportAll } from '../jobs/Export';
import { useHouse } from '../shell/house';
import { ListScreen } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { asFilter, filters } from './filters';
import { transactions } from './list';

const route = getRouteApi('/transactions');

export function List() {
  const { may } = useHouse();
  const { zone } = useWords();
  const search = route.useSearch();
  const filter = asFilter(search, zone);
  const list = useMemo(() => (may({ needs: ['PROVIDERS_READ'] })
    ? { ...transactions, filters: [...filters, byProvider] } : transactions), [may]);
  return (
    <ListScreen
      list={list} search={search} actions={<ExportAll filter={filter} />}
      bulk={may({ needs: ['CALLBACKS_RESEND'] }) ? (chosen) => (
        <ResendAll {...(chosen.kind === 'all' ? { filter } : { trackingCodes: chosen.rows.map((r) => r.trackingCode) })} />
      ) : undefined}
    />
  );
}
