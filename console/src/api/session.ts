// Whether somebody is signed in. The session itself is in a cookie that no script can read; it lasts over a reload.
import { store } from './store';

export type Session =
  /** The API has not said yet. */
  | 'asking'
  | 'in'
  | 'out'
  /** It has ended by itself while a screen was open: what was typed there is kept until the same person is back. */
  | 'lapsed';

const current = store<Session>('asking');

export const session = {
  get: () => current.get(),
  use: () => current.use(),
  /** begin is called after signing in: who it is has to be asked. */
  begin: () => current.set('asking'),
  arrive: () => current.set('in'),
  end: () => current.set('out'),
  /** lapse is called when the API knows no session. */
  lapse: () => current.set(current.get() === 'in' || current.get() === 'lapsed' ? 'lapsed' : 'out'),
};
