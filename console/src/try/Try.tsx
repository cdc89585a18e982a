// What a newcomer tries first: the jobs of a day, each with the other side one click away. Whether one is done is what the API says.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { ask } from '../api/client';
import { useLive } from '../api/live';
import type { Operation } from '../api/operation';
import type { Permission } from '../api/session.generated';
import { useThrottled } from '../home/work';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { Tag } from '../ui/facts';
import { failed } from '../callbacks/filters';
import { address } from '../ui/list/ListScreen';
import { Refused, State } from '../ui/State';
import { useWords } from '../words/words';
import {
  TryApprovalsDocument, TryCallbacksDocument, TryExportsDocument, TryGatewaysDocument, TryJobsDocument, TryLineDocument, TryLinesDocument,
  TryPaymentsDocument, TryProvidersDocument, TryRequestsDocument, TryTransactionsDocument,
} from './try.generated';

const jobs = ['deposit', 'withdrawal', 'line', 'approval', 'export', 'resend', 'gateway'] as const;
type Job = (typeof jobs)[number];

const AT_MOST_EACH_MS = 1000;
const REST_EACH_MS = 10_000; // what nothing tells of: callbacks, gateways
const PROVIDER = 'Acme Pay';
const BAD_GATEWAY = 'Boğaz Sanal POS';
const INBOX = '/demo/inbox';
const BRANCH = '/sandbox/branch';

// Who has use of a job, and where its other side is.
const needs: Record<Job, Permission> = {
  deposit: 'DEPOSITS_DECIDE', withdrawal: 'WITHDRAWALS_DECIDE', line: 'DEPOSITS_DECIDE', approval: 'APPROVALS_DECIDE', export: 'TRANSACTIONS_READ',
  resend: 'CALLBACKS_RESEND', gateway: 'GATEWAYS_EDIT',
};
const otherSide: Record<Job, string> = {
  deposit: INBOX, withdrawal: INBOX, line: BRANCH, approval: INBOX, export: INBOX, resend: INBOX, gateway: BRANCH,
};

/** useAnswer asks while the member may, and again from time to time. */
function useAnswer<Result, Variables extends object>(operation: Operation<Result, Variables>, may: boolean, variables = {} as Variables) {
  return useQuery({
    queryKey: ['try', operation.text], queryFn: ({ signal }) => ask(operation, variables, signal), enabled: may, refetchInterval: REST_EACH_MS,
  });
}

/** lastMonth is the first and the last day of the month before this one, in a zone. */
export function lastMonth(now: Date, zone: string): { from: string; until: string } {
  const [year = 0, month = 0] = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit' }).format(now).split('-').map(Number);
  const day = (d: Date) => d.toISOString().slice(0, 10);
  return { from: day(new Date(Date.UTC(year, month - 2, 1))), until: day(new Date(Date.UTC(year, month - 1, 0))) };
}

export function Try() {
  const { say, money, zone } = useWords();
  const { may, installation } = useHouse();
  const { history } = useRouter();
  const queries = useQueryClient();
  useTitle(say('try.title'));
  const mine = (job: Job) => may({ needs: [needs[job]] });
  const payments = useAnswer(TryPaymentsDocument, may({ needs: ['TRANSACTIONS_READ'] }));
  const line = useAnswer(TryLineDocument, mine('line'));
  const approvals = useAnswer(TryApprovalsDocument, mine('approval'));
  const exports = useAnswer(TryExportsDocument, mine('export'));
  const providers = useAnswer(TryProvidersDocument, may({ needs: ['PROVIDERS_READ'] }));
  const work = useAnswer(TryCallbacksDocument, mine('resend'));
  const gateways = useAnswer(TryGatewaysDocument, mine('gateway'));
  const refresh = useThrottled(() => void queries.invalidateQueries({ queryKey: ['try'] }), AT_MOST_EACH_MS);
  useLive(may({ needs: ['TRANSACTIONS_READ'] }) ? TryTransactionsDocument : undefined, {}, refresh);
  useLive(mine('line') ? TryLinesDocument : undefined, {}, refresh);
  useLive(mine('approval') ? TryRequestsDocument : undefined, {}, refresh);
  useLive(mine('export') ? TryJobsDocument : undefined, {}, refresh);

  const deposit = payments.data?.deposit?.nodes[0];
  const withdrawal = payments.data?.withdrawal?.nodes[0];
  const provider = providers.data?.providers?.nodes.find((p) => p.name === PROVIDER);
  const isDone: Record<Job, boolean> = {
    deposit: deposit?.status === 'COMPLETED',
    withdrawal: withdrawal?.status === 'COMPLETED',
    line: line.data?.bankLines?.nodes[0]?.status === 'MATCHED',
    approval: approvals.data?.approvals?.nodes.some((a) => a.status === 'APPROVED' && !a.isOwn) ?? false,
    export: exports.data?.jobs?.nodes.some((j) => j.format === 'XLSX' && j.total > 0) ?? false,
    resend: work.data?.openWork?.some((w) => w.kind === 'CALLBACKS' && w.count === 0) ?? false,
    gateway: gateways.data?.gatewayAccounts?.some((g) => g.name === BAD_GATEWAY && !g.isEnabled) ?? false,
  };
  const bad = gateways.data?.gatewayAccounts?.find((g) => g.name === BAD_GATEWAY);
  const paths: Record<Job, string> = {
    deposit: address('/transactions', {}),
    withdrawal: address('/desk', {}),
    line: address('/bank-lines', {}),
    approval: address('/approvals', {}),
    export: address('/transactions', { ...(provider && { provider: provider.id }), ...lastMonth(new Date(), zone) }),
    resend: address('/callbacks', failed),
    gateway: address('/gateways', {}),
  };
  const all = jobs.filter(mine);
  const done = all.filter((job) => isDone[job]).length;
  const open = (e: MouseEvent<HTMLAnchorElement>) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    history.push(e.currentTarget.pathname + e.currentTarget.search);
  };
  const error = payments.error ?? line.error ?? approvals.error ?? exports.error ?? work.error ?? gateways.error;
  if (!installation.isDemo) return <><h1>{say('try.title')}</h1><State icon="search" title={say('try.noDemo')} /></>;
  if (payments.data && !deposit) return <><h1>{say('try.title')}</h1><State icon="search" title={say('try.noPast')}><p>{say('try.noPastLead')}</p></State></>;
  return (
    <>
      <h1>{say('try.title')}</h1>
      <p className="lead">{say('try.lead')}</p>
      {all.length < jobs.length && <p className="muted">{say('try.others')}</p>}
      <p role="status"><b>{say('try.done', { done, of: all.length })}</b></p>
      {error && <Refused error={error} retry={() => void queries.invalidateQueries({ queryKey: ['try'] })} />}
      <ol className="try">
        {all.map((job, i) => (
          <li key={job} className="panel" data-job={job} data-done={isDone[job]}>
            <h2><span className="muted">{i + 1}.</span> {say(`try.${job}`)}</h2>
            <p>{say(`try.${job}Lead`, {
              amount: job === 'deposit' && deposit ? money(deposit.amount, deposit.currency)
                : job === 'withdrawal' && withdrawal ? money(withdrawal.amount, withdrawal.currency) : '',
            })}</p>
            <div className="buttons">
              <Tag tone={isDone[job] ? 'good' : 'waiting'}>{say(isDone[job] ? 'try.isDone' : 'try.isOpen')}</Tag>
              <a className={isDone[job] ? 'button' : 'button primary'} href={paths[job]} onClick={open}>{say('try.begin')}</a>
              {job === 'gateway' && bad && <a className="button" href={address(`/gateways/${bad.id}`, {})} onClick={open}>{say('try.toGateway')}</a>}
              <a className="button" href={otherSide[job]} target="_blank" rel="noopener">{say(otherSide[job] === INBOX ? 'try.provider' : 'try.bank')}</a>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
