import type { CanonicalRecord, CompleteRange, Quarantined } from '@pulsewire/contract';
import type { ProviderHttp } from './http.ts';

/** The user facts that pulls and pure mappers may use. */
export interface PullUser {
  readonly userId: string;
  readonly fallbackTimeZone: string | null;
  /** `YYYY-MM-DD`, as set by the team: for providers that send no age. Absent or null: unknown. */
  readonly birthDate?: string | null;
  readonly providerUserId: string;
  readonly grantedScopes: readonly string[];
  /** The result of `account()`, for example the provider's time zone. */
  readonly account: Readonly<Record<string, unknown>>;
}

/** Why a mapper leaves out an item that it can read. */
export type LeftOutBefore =
  /** Of a day that another window stores. */
  | 'outside_window'
  /** Of somebody else who uses the same device or account. */
  | 'other_person'
  /** A placeholder or half a value, such as the zero of a day without a measurement. */
  | 'no_value'
  /** Under way or not scored yet: read again later. */
  | 'unfinished'
  /** Of a kind that has no place in the contract, or that nobody has heard of yet. */
  | 'unknown_kind';

/** Local days at the provider, `YYYY-MM-DD`, both inclusive. */
export interface PullWindow {
  readonly startDate: string;
  readonly endDate: string;
  /** The number of items that mappers left out, by reason; they add to it (`leaveOut`). Absent: nobody counts. */
  readonly leftOut?: Map<LeftOutBefore, number>;
}

/** The result of mapping one response. */
export interface MappedRecords {
  readonly records: readonly CanonicalRecord[];
  readonly quarantined: readonly Quarantined[];
}

/** Identifies a summary. */
export interface SummaryName {
  readonly resource: string;
  readonly id: string;
}

/** The records of one response; stored in one transaction under its version. */
export interface PulledPage extends MappedRecords {
  readonly version: bigint;
  /**
   * Ranges that this page covers completely: stored data missing from it is removed. Only ranges covered by a single response.
   * Ignored when an item of the page was quarantined. Default: none.
   */
  readonly allOf?: readonly CompleteRange[];
  /**
   * Ranges that all pages of the reading cover together; on any page, but ranges of samples on the first. Missing data is removed with
   * the last page, unless an item of any page was quarantined or the reading was interrupted, even if it resumed. Default: none.
   */
  readonly partOf?: readonly CompleteRange[];
  /**
   * Summaries that the response lists, with or without records in the page: a night without a score is not deleted, nor is an item
   * outside the window.
   */
  readonly named?: readonly SummaryName[];
}

export interface PullContext {
  readonly http: ProviderHttp;
  readonly user: PullUser;
  readonly window: PullWindow;
  readonly signal: AbortSignal;
  /** Absent in tests of mappers. */
  readonly now?: Date;
}

export interface ObjectContext extends Omit<PullContext, 'window'> {
  /** The id in the push. */
  readonly objectId: string;
}

/** Live: new data, by polling and after pushes. Backfill: the historical pull. */
export type PullLane = 'live' | 'backfill';

/** One kind of pull: its resources and how history is split into windows. */
export interface PullSpec {
  /** Unique in the connector: `steps-intraday`. */
  readonly name: string;
  readonly resources: readonly string[];
  /** The pull is planned only if all of them were granted. */
  readonly requiredScopes: readonly string[];
  /** Default: both. Without `live` the data arrives by push only; without `backfill` there is no history. */
  readonly lanes?: readonly PullLane[];
  /** Maximum number of days per call. */
  readonly chunkDays: number;
  /** Default depth of the historical pull, in days. */
  readonly backfillDays: number;
  /** How many days back the provider allows reading, for teams that request more history; at most 365. Default: `backfillDays`. */
  readonly reachDays?: number;
  /** Days that each incremental pull reads again, because providers revise data. */
  readonly rereadDays: number;
  /**
   * How often it is polled, at most as often as its connection: for a pull whose `collections` announce only some of its data. Default: as
   * often as its connection; every three hours if it has collections and notifications arrive; a profile once a day.
   */
  readonly pollEveryMs?: number;
  /** Needs one call per record, so it runs after all other pulls of the connection. Default: the connector's order, newest days first. */
  readonly runsLast?: boolean;
  /** Push collections that trigger this pull. */
  readonly collections: readonly string[];
  /**
   * For history that is requested and then pushed: the collections that deliver it. `pull` sends the request and yields no page; its
   * window stays open until the pushes have arrived or the wait times out.
   */
  readonly fulfilledBy?: readonly string[];
  /**
   * Its list cannot be limited to a window, and is read until an item is older: a response as long as its page is then no sign that something
   * of the window was cut off (`watchForCuts`). Absent: it is.
   */
  readonly listsBeyondWindow?: true;
  /**
   * How deletions at the provider are detected: by absence from a complete response (`PulledPage.allOf`, `partOf`), or why this pull
   * cannot detect them. Required for every pull of a connector.
   */
  readonly deletions?: 'by_absence' | { readonly unseen: string };
  /**
   * Pages of one window, each with the records of one response. Bound every loop over pages (`readPages`).
   * Throws AppError of a ProviderErrorCode. Yields no page when the provider delivers the data by push.
   */
  pull(context: PullContext): AsyncIterable<PulledPage>;
  /** Reads the object that a push names. Absent: such a push triggers a pull of the current day and the `rereadDays` before it. */
  pullObject?(context: ObjectContext): AsyncIterable<PulledPage>;
  /** The removals for an object that a push reports as deleted. Pure. */
  removeObject?(removal: { readonly user: PullUser; readonly objectId: string }): readonly CanonicalRecord[];
}
