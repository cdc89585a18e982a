import { useWords } from '../words/words';
import { State } from '../ui/State';

/** Failed stands in for a screen that has thrown. */
export function Failed() {
  const { say } = useWords();
  return (
    <main className="page" role="alert">
      <State icon="warning" title={say('app.failed')}>
        <button type="button" className="button" onClick={() => location.reload()}>{say('state.retry')}</button>
      </State>
    </main>
  );
}
