import { useEffect } from 'react';
import { useWords } from '../words/words';

/** useTitle names the page in the browser's tab. */
export function useTitle(title: string) {
  const { say } = useWords();
  useEffect(() => { document.title = `${title} · ${say('app.title')}`; }, [title, say]);
}
