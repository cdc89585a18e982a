// Whether Vezne answered the last time that it was asked.
import { store } from './store';

export const isConnected = store(true);
