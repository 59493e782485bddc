import type { pushInbox } from '../../model/tables.ts';

/**
 * The states of a received push. `received`: to be applied, perhaps in part already. `done`: applied. `unreadable`: it is not in the form of
 * its provider, or too much of it is not. `failed`: given up after too many attempts; its body is kept like that of every push.
 */
export type PushState = (typeof pushInbox.$inferSelect)['state'];

/**
 * Every legal transition, from each state in which it may happen to the one that follows; `none`: there is no row. A transition that does
 * not list a push's state leaves the push alone. Each is one statement of this folder, and only this folder writes the table. Maintenance
 * drops days of rows as a whole, but none with a push in `received`.
 */
export const pushTransitions = {
  /** A verified call is stored (`insertPush`). */
  receive: { none: 'received' },
  /** A worker begins or continues, and its attempt is counted (`beginPush`). */
  begin: { received: 'received' },
  /** Too many attempts have ended without a word: it kills its workers (`beginPush`). */
  giveUp: { received: 'failed' },
  /** A part was applied, and others follow (`settlePush`). */
  advance: { received: 'received' },
  /** The last part was applied (`settlePush`). */
  finish: { received: 'done' },
  /** Its body cannot be read, or too many of its items (`settlePush`). */
  reject: { received: 'unreadable' },
  /** An attempt failed, and its job is retried (`failPush`). */
  retry: { received: 'received' },
  /** The last attempt failed (`failPush`). */
  fail: { received: 'failed' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<PushState | 'none', PushState>>>>>;
