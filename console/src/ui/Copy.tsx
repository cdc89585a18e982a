import { useState } from 'react';
import { useWords } from '../words/words';
import { Icon } from './Icon';

/** Copy puts a text into the clipboard. */
export function Copy({ name, text }: { name: string; text: string }) {
  const { say } = useWords();
  const [isDone, setIsDone] = useState(false);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setIsDone(true), () => setIsDone(false));
  return (
    <button
      type="button" className="button quiet square" aria-label={say('ui.copy', { name })} onClick={copy} onBlur={() => setIsDone(false)}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
      <span className="unseen" role="status">{isDone && say('ui.copied')}</span>
    </button>
  );
}
