import type { bulkOperations } from '../../model/bulk-tables.ts';

/**
 * The statuses of a bulk operation. `receiving`: the body of an import is being uploaded; teams do not see it. `in_progress`: its items are
 * worked on. `success`: every item has an outcome. `failure`: it cannot go on. `aborted`: an operator stopped it.
 */
export type OperationStatus = (typeof bulkOperations.$inferSelect)['status'];

/** A status that teams see. */
export type BulkStatus = Exclude<OperationStatus, 'receiving'>;

/**
 * Every legal transition, from each status in which it may happen to the one that follows; `none`: there is no row. A transition that does
 * not list an operation's status leaves it alone. Each is one statement of this folder, and only this folder writes the table, except that
 * the rows of an erased team are deleted with the team.
 */
export const operationTransitions = {
  /** An upload begins (`beginUpload`). */
  upload: { none: 'receiving' },
  /** Recipes were received (`addItems`). */
  receive: { receiving: 'receiving' },
  /** The upload is complete (`startImport`). */
  start: { receiving: 'in_progress' },
  /** Historical pulls are to be started (`beginTrigger`). */
  trigger: { none: 'in_progress' },
  /** Items have an outcome before the work begins; with an outcome of all there is no work (`countSettled`). */
  countSettled: { in_progress: 'in_progress' },
  settleAll: { in_progress: 'success' },
  /** Items were processed (`countProcessed`), at last all of them. */
  progress: { in_progress: 'in_progress' },
  succeed: { in_progress: 'success' },
  /** A job of an import broke (`countFailure`), or one stored a batch again (`clearFailures`). */
  countFailure: { in_progress: 'in_progress' },
  clearFailures: { in_progress: 'in_progress' },
  /** It cannot go on, or an operator stopped it (`endOperation`). */
  fail: { in_progress: 'failure' },
  abort: { in_progress: 'aborted' },
  /** Its client gave the upload up (`discardUpload`). */
  discard: { receiving: 'none' },
  /** An upload is abandoned, or an ended operation is old (`sweepOperations`). */
  sweep: { receiving: 'none', success: 'none', failure: 'none', aborted: 'none' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<OperationStatus | 'none', OperationStatus | 'none'>>>>>;
