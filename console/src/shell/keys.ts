// Keys that work wherever nothing is being typed.
import { useEffect } from 'react';

const takesText = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], '
  + '[role=dialog], [role=menu], [role=listbox]';

/** useKeys calls what belongs to a key. A key that something else wants, or that comes with Ctrl, Alt or ⌘, is left alone. */
export function useKeys(actions: Record<string, () => void>) {
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey) return;
      if (e.target instanceof Element && e.target.closest(takesText)) return;
      const action = actions[e.key];
      if (!action) return;
      e.preventDefault();
      action();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}
