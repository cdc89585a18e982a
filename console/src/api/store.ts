// A value that components follow.
import { useSyncExternalStore } from 'react';

export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  use(): Value;
}

export function store<Value>(first: Value): Store<Value> {
  let value = first;
  const followers = new Set<() => void>();
  const follow = (follower: () => void) => {
    followers.add(follower);
    return () => { followers.delete(follower); };
  };
  const get = () => value;
  return {
    get,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      followers.forEach((follower) => follower());
    },
    use: () => useSyncExternalStore(follow, get),
  };
}
