// One way to ask the API: an operation of a .graphql file, and its answer or what was refused.
import type { TypedDocumentString } from './operations.generated';
import { isConnected } from './connection';
import { session } from './session';

const ENDPOINT = '/graphql';

/** Refusal is an answer that says no. Its code is one of the API's, or UNREACHABLE where there was no answer. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string, readonly requestId?: string) {
    super(message);
  }

  /** Whether asking again, later, may succeed. */
  get isPassing(): boolean {
    return this.code === 'UNREACHABLE' || this.code === 'UNAVAILABLE';
  }
}

interface Answer<Result> {
  data?: Result | null;
  errors?: { message: string; extensions?: { code?: string; requestId?: string } }[];
}

/** ask runs an operation. It throws a Refusal where any part of it is refused. */
export async function ask<Result, Variables>(
  operation: TypedDocumentString<Result, Variables>, variables: Variables, signal?: AbortSignal,
): Promise<Result> {
  const token = session.token();
  const answer = await send<Result>(operation.toString(), variables, token, signal);
  const refused = answer.errors?.[0];
  if (refused) {
    const code = refused.extensions?.code ?? 'INTERNAL';
    if (code === 'UNAUTHENTICATED' && token !== undefined) session.lapse(token);
    throw new Refusal(code, refused.message, refused.extensions?.requestId);
  }
  if (!answer.data) throw new Refusal('INTERNAL', '');
  return answer.data;
}

async function send<Result>(
  query: string, variables: unknown, token: string | undefined, signal: AbortSignal | undefined,
): Promise<Answer<Result>> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json', Accept: 'application/json', 'Accept-Language': document.documentElement.lang,
  };
  if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
  try {
    const response = await fetch(ENDPOINT, {
      method: 'POST', headers, body: JSON.stringify({ query, variables }), credentials: 'same-origin', signal: signal ?? null,
    });
    const answer = await response.json() as Answer<Result>;
    isConnected.set(true);
    return answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    isConnected.set(false); // no answer, or none of Vezne's: a proxy that stands in for it
    throw new Refusal('UNREACHABLE', '');
  }
}
