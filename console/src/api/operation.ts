// An operation of a .graphql file, with the types of what it is asked with and of what it answers.

export interface Operation<Result, Variables> {
  readonly text: string;
  /** Whether its input takes an idempotency key. */
  readonly takesKey: boolean;
  /** For the types alone. */
  readonly of?: (variables: Variables) => Result;
}

export const operation = <Result, Variables>(text: string, takesKey = false): Operation<Result, Variables> => ({ text, takesKey });
