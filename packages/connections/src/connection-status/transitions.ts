import type { ConnectionStatus } from '../model/connection.ts';

/**
 * Every legal transition, from each status in which it may happen to the one that follows; `none`: there is no row. A transition that does
 * not list a connection's status leaves it alone. Each is one statement of this folder, and only this folder writes the column.
 */
export const connectionTransitions = {
  /** The user links: a new connection, or an existing one is revived (`linkConnection`). */
  link: { none: 'connected', connected: 'connected', error: 'connected', paused: 'connected' },
  /** The team imports tokens, with the same results (`linkImported`). */
  import: { none: 'connected', connected: 'connected', error: 'connected', paused: 'connected' },
  /** The provider ended the access, or it cannot be used (`failConnection`). */
  fail: { connected: 'error' },
  /** The team pauses connections and keeps their tokens (`pauseByTeam`). */
  pause: { connected: 'paused' },
  /** The team ends such a pause; without tokens a connection stays paused (`resumeByTeam`). */
  resume: { paused: 'connected' },
  /** The user's ingestion ended (`endIngestion`). */
  endIngestion: { connected: 'paused', error: 'paused' },
  /** The user deregistered, was deleted, or links another account (`deleteConnections`). */
  remove: { connected: 'none', error: 'none', paused: 'none' },
  /** The simulator to which it was linked is gone (`deleteSimulated`). */
  removeSimulated: { connected: 'none', error: 'none', paused: 'none' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<ConnectionStatus | 'none', ConnectionStatus | 'none'>>>>>;
