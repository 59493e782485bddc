import type { Zone } from '../../model/zone.ts';

/** What a day is built from. */
export interface DayPlan {
  readonly name: string;
  readonly zone: Zone;
  readonly date: string;
  /** How often it was revised; each time every figure moves a little. */
  readonly revision: number;
  readonly revisedMs: number;
  readonly syncedMs: number;
  /** Ids of what was taken out. */
  readonly removed: ReadonlySet<string>;
}
