import { useEffect } from 'react';
import { useWords } from '../words/words';

/** useTitle names the page in the browser's tab, for as long as it is shown. */
export function useTitle(title: string) {
  const { say } = useWords();
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${say('app.title')}`;
    return () => { document.title = before; };
  }, [title, say]);
}
