// What the service itself has to do: due, stuck and given up.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { Age, Tag } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { openInGraphiQL } from '../ui/list/graphiql';
import { Loaded } from '../ui/Screen';
import { Scroll } from '../ui/Scroll';
import { useWords } from '../words/words';
import { QueuesDocument, TaskQueuesDocument, type QueuesQuery } from './queues.generated';

type Work = NonNullable<NonNullable<QueuesQuery['queues']>['work']>[number];

const EACH_MS = 5000;

export function Queues() {
  const { say } = useWords();
  useTitle(say('queues.title'));
  const work = useQuery({
    queryKey: ['queues', 'work'], queryFn: ({ signal }) => ask(QueuesDocument, {}, signal), select: (data) => data.queues?.work, refetchInterval: EACH_MS,
  });
  return (
    <>
      <div className="title">
        <h1>{say('queues.title')}</h1>
        <div className="actions">
          <button type="button" className="button quiet" onClick={() => openInGraphiQL(QueuesDocument, {})}><Icon name="code" />{say('list.graphiql')}</button>
        </div>
      </div>
      <p className="lead">{say('queues.lead')}</p>
      <Loaded of={work}>{(list) => <><ul className="work rule-cards">{list.map((w) => <One key={w.kind} of={w} />)}</ul><TaskQueues /></>}</Loaded>
    </>
  );
}

function TaskQueues() {
  const { say, span } = useWords();
  const tasks = useQuery({
    queryKey: ['queues', 'tasks'], queryFn: ({ signal }) => ask(TaskQueuesDocument, {}, signal), select: (data) => data.queues?.taskQueues, refetchInterval: EACH_MS, retry: false,
  });
  return (
    <section className="panel" aria-labelledby="tasks">
      <h2 id="tasks">{say('queues.tasks')}</h2>
      <p className="muted">{say('queues.tasksLead')}</p>
      <Loaded of={tasks}>
        {(list) => (
          <Scroll name={say('queues.tasks')}>
            <table className="small">
              <thead><tr>
                <th scope="col">{say('queues.queue')}</th><th scope="col">{say('queues.pending')}</th><th scope="col">{say('queues.latency')}</th><th scope="col">{say('queues.active')}</th><th scope="col">{say('queues.scheduled')}</th>
                <th scope="col">{say('queues.retry')}</th><th scope="col">{say('queues.archived')}</th><th scope="col">{say('queues.processed')}</th><th scope="col">{say('queues.failedToday')}</th>
              </tr></thead>
              <tbody>
                {list.map((q) => (
                  <tr key={q.name}>
                    <th scope="row">{q.name} {q.isPaused && <Tag tone="waiting">{say('queues.paused')}</Tag>}</th>
                    <td>{q.pending}</td><td>{q.pending > 0 && span(q.latencyMs / 1000)}</td><td>{q.active}</td><td>{q.scheduled}</td><td>{q.retry}</td><td>{q.archived}</td><td>{q.processedToday}</td><td>{q.failedToday}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Loaded>
    </section>
  );
}

function One({ of }: { of: Work }) {
  const { say } = useWords();
  const { label, may } = useHouse();
  const tone = of.stuckCount > 0 ? 'bad' : of.failedCount > 0 ? 'waiting' : 'good';
  return (
    <li className="panel">
      <div className="title"><h2>{label('WorkKind', of.kind)}</h2><Tag tone={tone}>{say(of.stuckCount > 0 ? 'queues.stuck' : of.failedCount > 0 ? 'queues.someFailed' : 'queues.flows')}</Tag></div>
      <p className="work-count">{of.dueCount}</p>
      <p>{say('queues.due')}{of.oldestDueAt !== null && <> · {say('home.oldest')} <Age at={of.oldestDueAt} /></>}</p>
      {of.stuckCount > 0 && <p className="problem">{say('queues.stuckCount', { count: of.stuckCount })}</p>}
      {of.failedCount > 0 && <p>{say(of.kind === 'STATEMENTS' ? 'queues.failedReadings' : 'queues.failedCount', { count: of.failedCount })}</p>}
      {of.skippedCount > 0 && <p className="muted">{say('queues.skippedCount', { count: of.skippedCount })}</p>}
      {of.kind === 'CALLBACKS' && of.failedCount + of.skippedCount > 0 && may({ needs: ['CALLBACKS_RESEND'] }) && <p><Link to="/callbacks" search={{}}>{say('queues.toCallbacks')}</Link></p>}
      {of.kind === 'STATEMENTS' && of.failedCount > 0 && <p><Link to="/wallets">{say('queues.toWallets')}</Link></p>}
      {(of.kind === 'OPERATIONS' || of.kind === 'NOTIFICATIONS') && of.stuckCount + of.failedCount > 0 && <p><Link to="/gateways" search={{}}>{say('queues.toGateways')}</Link></p>}
    </li>
  );
}
