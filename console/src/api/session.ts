// Who is signed in. The token is in memory alone: it is gone when the page is left.
import { store } from './store';

interface Session {
  token?: string;
  /** The session ended by itself: the person did not sign out. */
  hasLapsed: boolean;
}

const current = store<Session>({ hasLapsed: false });

export const session = {
  token: () => current.get().token,
  use: () => current.use(),
  begin: (token: string) => current.set({ token, hasLapsed: false }),
  end: () => current.set({ hasLapsed: false }),
  /** lapse forgets a token that the API no longer takes; an answer to an older one is late and says nothing. */
  lapse(token: string) {
    if (current.get().token === token) current.set({ hasLapsed: true });
  },
};
