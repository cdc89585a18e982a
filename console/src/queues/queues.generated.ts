// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type WorkKind =
  | 'CALLBACKS'
  | 'EXPIRY'
  | 'OPERATIONS'
  | 'NOTIFICATIONS'
  | 'STATEMENTS';

export type QueuesQueryVariables = Exact<{ [key: string]: never; }>;


export type QueuesQuery = { queues: { work: Array<{ kind: WorkKind, dueCount: number, oldestDueAt: string | null, stuckCount: number, failedCount: number, skippedCount: number }> | null } | null };

export type TaskQueuesQueryVariables = Exact<{ [key: string]: never; }>;


export type TaskQueuesQuery = { queues: { taskQueues: Array<{ name: string, pending: number, active: number, scheduled: number, retry: number, archived: number, processedToday: number, failedToday: number, latencyMs: number, isPaused: boolean }> | null } | null };

export const QueuesDocument = /* @__PURE__ */ operation<QueuesQuery, QueuesQueryVariables>(
  "query Queues { queues { work { kind dueCount oldestDueAt stuckCount failedCount skippedCount } } }");

export const TaskQueuesDocument = /* @__PURE__ */ operation<TaskQueuesQuery, TaskQueuesQueryVariables>(
  "query TaskQueues { queues { taskQueues { name pending active scheduled retry archived processedToday failedToday latencyMs isPaused } } }");
