import { textArray, type Sql } from '@pulsewire/database';

/**
 * The states of a pull window. `planned`: to be read when it is due. `running`: claimed by the holder of its connection's lease, under the
 * epoch of that lease. `failed`: to be read again when it is due. `done` and `given_up`: ended, until it is planned again.
 */
export const windowStates = ['planned', 'running', 'failed', 'done', 'given_up'] as const;

export type WindowState = (typeof windowStates)[number];

/**
 * Every legal transition, from each state in which it may happen to the one that follows; `none`: there is no row yet. A transition that
 * does not list a window's state leaves its state alone. Each is one statement of this folder, and only this folder writes the table.
 */
export const windowTransitions = {
  /** A poll, a history or a notice asks for these days (`addWindows`). */
  plan: { none: 'planned', done: 'planned', given_up: 'planned' },
  /** The holder of the lease begins to read (`claimWindows`). */
  claim: { planned: 'running', failed: 'running' },
  /** Everything was read (`endWindow`). */
  finish: { running: 'done' },
  /** Its responses were equal to those of its last reading (`endUnchanged`). */
  repeat: { running: 'done' },
  /** It cannot be read, or not within the attempts allowed (`endWindow`). */
  giveUp: { running: 'given_up' },
  /** It ended, but was asked for again while it ran (`endWindow`, `endUnchanged`). */
  rerun: { running: 'planned' },
  /** The run failed; the next one begins after a delay (`retryLater`). */
  retryLater: { running: 'failed' },
  /** The run ended for a reason that is not the window's, such as spent quota, before or while it was read (`yieldBack`, `giveBackUnread`). */
  yieldBack: { running: 'planned' },
  /** The provider accepted the request and responds by notifications (`awaitNotifications`). */
  await: { running: 'planned' },
  /** The worker that ran it has lost its lease (`replanInterrupted`). */
  interrupt: { running: 'planned' },
  /** Its connection was removed (`giveUpRemoved`). */
  remove: { planned: 'given_up', running: 'given_up', failed: 'given_up' },
  /** A notification contained data of this day (`recordPushedWindow`). */
  receive: { none: 'done', done: 'done' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<WindowState | 'none', WindowState>>>>>;

/** Error codes of a run that was interrupted for lack of quota: by our own count, or by a refusal of the provider. */
export const quotaInterruptions = ['provider_quota_spent', 'provider_rate_limited'] as const;

/** Error code of a window that is given up because a day of it needs more than a day's quota. */
export const exceedsQuota = 'window_exceeds_quota';

/**
 * SQL: whether the run of the window with this alias (none: the row that is updated) was interrupted for lack of quota; never null. `newCode`
 * is the error code that the statement sets; without one the stored code counts.
 */
export function isInterruptedByQuota(sql: Sql, alias: string | null, newCode: string | null = null) {
  const stored = alias === null ? sql`error_code` : sql`${sql(alias)}.error_code`;
  return sql`coalesce(coalesce(${newCode}::text, ${stored}) = ANY(${textArray(quotaInterruptions)}::text[]), false)`;
}

/** A reading counts for this long. Then it is mapped and compared once more, so that nothing depends on it for ever. */
export const readingValidMs = 24 * 3_600_000;
