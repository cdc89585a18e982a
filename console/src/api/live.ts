// What changes, told as it happens: one WebSocket for all subscriptions, by the session of the cookie. A lost connection is tried
// again, later each time; every subscription then begins with `hasGap`, by which the screen asks anew.
import { createClient, type Client } from 'graphql-ws';
import { useEffect, useRef } from 'react';
import { BY_COOKIE, ENDPOINT } from './client';
import type { Operation } from './operation';
import { session } from './session';

const MAX_WAIT_MS = 20_000;

const wait = (ms: number) => new Promise<void>((done) => { setTimeout(done, ms); });

// Some of the wait is drawn, so that a restart is not met by everybody at once.
const pause = (failures: number) => wait(Math.min(500 * 2 ** failures, MAX_WAIT_MS) * (0.5 + Math.random() / 2));

let client: Client | undefined;

function connect(): Client {
  client ??= createClient({
    url: () => new URL(ENDPOINT, location.href.replace(/^http/, 'ws')).href,
    connectionParams: () => ({ ...BY_COOKIE, 'Accept-Language': document.documentElement.lang }),
    lazy: true,
    keepAlive: 20_000,
    retryAttempts: Infinity,
    retryWait: pause,
    shouldRetry: () => session.get() === 'in',
  });
  return client;
}

/** follow calls what is told of a subscription until it is stopped. One that ends is begun again, later each time. */
function follow<Result, Variables>(operation: Operation<Result, Variables>, variables: Variables, told: (result: Result) => void) {
  let isOver = false;
  let stop = () => {};
  const run = (failures: number) => {
    let count = failures;
    const ended = () => {
      if (!isOver && session.get() === 'in') void pause(count).then(() => { if (!isOver) run(count + 1); });
    };
    stop = connect().subscribe<Result>({ query: operation.text, variables: variables as Record<string, unknown> }, {
      next: (answer) => {
        const { data } = answer;
        if (!data) return;
        count = 0;
        told(data);
      },
      error: ended,
      complete: ended,
    });
  };
  run(0);
  return () => {
    isOver = true;
    stop();
  };
}

/** useLive follows a subscription for as long as the screen is shown. */
export function useLive<Result, Variables>(
  operation: Operation<Result, Variables> | undefined, variables: Variables, told: (result: Result) => void,
) {
  const teller = useRef(told);
  useEffect(() => { teller.current = told; });
  const isIn = session.use() === 'in';
  const asked = JSON.stringify(variables);
  useEffect(() => {
    if (!operation || !isIn) return undefined;
    return follow(operation, JSON.parse(asked) as Variables, (result) => teller.current(result));
  }, [operation, asked, isIn]);
}
