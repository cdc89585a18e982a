// Light or dark, as the device says unless a person chose.
import { store } from '../api/store';

export type Theme = 'system' | 'light' | 'dark';
export const themes: readonly Theme[] = ['system', 'light', 'dark'];

const STORED = 'vezne.theme';

function show(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

const current = store<Theme>(themes.find((t) => t === localStorage.getItem(STORED)) ?? 'system');
show(current.get());

export const theme = {
  use: () => current.use(),
  /** prefer is what a person said for all devices; one that was chosen on this device goes before it. */
  prefer(to: string) {
    const preferred = themes.find((t) => t === to.toLowerCase());
    if (localStorage.getItem(STORED) !== null || !preferred) return;
    show(preferred);
    current.set(preferred);
  },
  choose(to: Theme) {
    localStorage.setItem(STORED, to);
    show(to);
    current.set(to);
  },
};
