import { partition, type Span } from '../../time/partition.ts';
import { joinStages, type StageSpan } from '../sleep-records.ts';

/**
 * How much a segment says about sleep, the most first:
 * - `wake`: a wake that the source lists apart from the stages that it interrupts
 * - `stage`: one of deep, light, REM and awake
 * - `outlived`: a stage of a session that the source wrote again under the same start with a later end
 * - `asleep`: sleep without detail, also where it is counted as light
 * - `none`: a stage that is unknown
 * - `in_bed`: time in bed, which is no stage and never returned
 */
export type SleepDetail = 'wake' | 'stage' | 'outlived' | 'asleep' | 'none' | 'in_bed';

/** A segment of sleep as a source states it. Segments of one source may nest, overlap, repeat and start together. */
export interface SleepClaim extends StageSpan {
  readonly detail: SleepDetail;
  /** When the source wrote it, ms since the epoch; absent where it does not say. */
  readonly writtenMs?: number | null;
}

const details: readonly SleepDetail[] = ['wake', 'stage', 'outlived', 'asleep', 'none', 'in_bed'];
/** Of two stages that nothing else tells apart: awake, deep, REM, light, others. */
const codes: readonly number[] = [4, 1, 3, 2, 5, -1];

const lengthOf = ({ startMs, endMs }: Span) => endMs - startMs;

/** Detail before none; then the shorter one, which is the inner one of two that nest; then the one written later, or begun later. */
function precedence(a: SleepClaim, b: SleepClaim): number {
  return (
    details.indexOf(a.detail) - details.indexOf(b.detail) ||
    lengthOf(a) - lengthOf(b) ||
    (b.writtenMs ?? 0) - (a.writtenMs ?? 0) ||
    b.startMs - a.startMs ||
    codes.indexOf(a.code) - codes.indexOf(b.code)
  );
}

/**
 * The stages of a night from segments in any order, as all sources have to be read: time is counted once, a segment that lies in another
 * interrupts it and the outer one goes on after it, and sleep without detail is left out only for the seconds that detail covers.
 */
export function resolveStages(segments: readonly SleepClaim[]): StageSpan[] {
  const pieces = partition(segments, precedence).filter(({ segment }) => segment.detail !== 'in_bed');
  return joinStages(pieces.map(({ segment, startMs, endMs }) => ({ code: segment.code, startMs, endMs })));
}
