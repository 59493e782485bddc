import type { CanonicalRecord, CompleteRange, Quarantined } from '@pulsewire/contract';
import type { ProviderHttp } from './http.ts';

/** What a pull knows of the user; pure mapping gets its facts from here. */
export interface PullUser {
  readonly userId: string;
  readonly fallbackTimeZone: string | null;
  readonly providerUserId: string;
  readonly grantedScopes: readonly string[];
  /** What `account()` learned, for example the provider's time zone. */
  readonly account: Readonly<Record<string, unknown>>;
}

/** Local days at the provider, both inclusive, `YYYY-MM-DD`. */
export interface PullWindow {
  readonly startDate: string;
  readonly endDate: string;
}

/** What a mapper makes of one answer. */
export interface MappedRecords {
  readonly records: readonly CanonicalRecord[];
  readonly quarantined: readonly Quarantined[];
}

/** A summary, by its id. */
export interface SummaryName {
  readonly resource: string;
  readonly id: string;
}

/** One answer's worth of records; stored in one transaction under its version. */
export interface PulledPage extends MappedRecords {
  readonly version: bigint;
  /**
   * What the page holds all of, for what is missing is removed. Only ranges that one answer covers whole. Ignored where something of
   * the page had to be set aside. Default: nothing.
   */
  readonly allOf?: readonly CompleteRange[];
  /**
   * What all pages of the reading hold together; given with any of them, ranges of samples with the first. What is missing is removed with the last page, unless something
   * of any page was set aside, or the reading broke off, or goes on where it was cut short. Default: nothing.
   */
  readonly partOf?: readonly CompleteRange[];
  /**
   * Summaries that the answer lists, whether or not their records are in the page: a night without a score is not deleted, nor is an
   * item that lies beyond the window's days.
   */
  readonly named?: readonly SummaryName[];
}

export interface PullContext {
  readonly http: ProviderHttp;
  readonly user: PullUser;
  readonly window: PullWindow;
  readonly signal: AbortSignal;
  /** Absent: not known, as in tests of mappers. */
  readonly now?: Date;
}

export interface ObjectContext extends Omit<PullContext, 'window'> {
  /** As the push named it. */
  readonly objectId: string;
}

/** Live: what is new, by polling and after pushes. Backfill: the historical pull. */
export type PullLane = 'live' | 'backfill';

/** One kind of pull: which resources it feeds and how history is cut. */
export interface PullSpec {
  /** Unique in the connector: `steps-intraday`. */
  readonly name: string;
  readonly resources: readonly string[];
  /** All needed, else the pull is not planned. */
  readonly requiredScopes: readonly string[];
  /** Default: both. Without `live` the data arrives by push alone; without `backfill` there is no history to read. */
  readonly lanes?: readonly PullLane[];
  /** Days that one call covers at most. */
  readonly chunkDays: number;
  /** Default depth of the historical pull, in days. */
  readonly backfillDays: number;
  /** How far back the provider lets it be read, for teams that want more, 365 days at most. Default: no further than `backfillDays`. */
  readonly reachDays?: number;
  /** Days that each incremental pull reads again, because providers revise. */
  readonly rereadDays: number;
  /** It costs a call for each record: nothing else of a connection waits for it. Default: the connector's order, the newest days first. */
  readonly comesLast?: boolean;
  /** Push collections that ask for this pull. */
  readonly collections: readonly string[];
  /**
   * For history that the provider only takes a request for and pushes later: the collections that bring it. `pull` asks, and gives no
   * page; its window is open until they have come, or until nobody waits any longer.
   */
  readonly answeredBy?: readonly string[];
  /**
   * How it is found out that the provider has deleted something: by its absence from a complete answer (`PulledPage.allOf`, `partOf`), or why this
   * pull cannot see it. Every connector says it of every pull.
   */
  readonly deletions?: 'by_absence' | { readonly unseen: string };
  /**
   * Pages of one window, each with the records of one answer. Bound every loop over pages (`readPages`).
   * Throws AppError of a ProviderErrorCode. A provider that answers a request by pushes gives no page.
   */
  pull(context: PullContext): AsyncIterable<PulledPage>;
  /** Reads the one object that a push named. Absent: such a push has the running day and `rereadDays` before it read. */
  pullObject?(context: ObjectContext): AsyncIterable<PulledPage>;
  /** What is to be taken out when a push says that the object is gone: removals, nothing else. Pure. */
  removeObject?(removal: { readonly user: PullUser; readonly objectId: string }): readonly CanonicalRecord[];
}
