import { Link } from '@tanstack/react-router';
import { useWords } from '../words/words';
import { useTitle } from './title';

/** Missing is the screen of an address that is none. */
export function Missing() {
  const { say } = useWords();
  useTitle(say('app.noSuchPage'));
  return (
    <>
      <h1>{say('app.noSuchPage')}</h1>
      <p><Link to="/">{say('app.toHome')}</Link></p>
    </>
  );
}
