// Keys that work wherever nothing is being typed.
import { useEffect } from 'react';

const takesText = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], '
  + '[role=dialog], [role=menu], [role=listbox]';

/**
 * useKeys calls what belongs to a key. A key that something else wants, or that comes with Ctrl, Alt or ⌘, is left alone. An action
 * that answers false leaves its key to others.
 */
export function useKeys(actions: Record<string, () => unknown>) {
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey) return;
      if (e.target instanceof Element && e.target.closest(takesText)) return;
      const action = actions[e.key];
      if (action && action() !== false) e.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}
