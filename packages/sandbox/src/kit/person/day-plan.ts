import type { Zone } from '../../model/zone.ts';

/** What a day is built from. */
export interface DayPlan {
  readonly name: string;
  readonly zone: Zone;
  readonly date: string;
  /** Number of revisions; each one changes every figure a little. */
  readonly revision: number;
  readonly revisedMs: number;
  readonly syncedMs: number;
  /** Ids of removed items. */
  readonly removed: ReadonlySet<string>;
}
