import type { Fragment, Sql } from '@pulsewire/database';
import { AppError } from '@pulsewire/kernel';

type Numbers = readonly (number | null)[];
type Extra = Readonly<Record<string, unknown>> | null;

/** A piece as JSON: the columns of `sample_pieces`. Format 1 of PACKED.md. */
export interface PieceJson {
  readonly format: number;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly count: number;
  readonly tick: number;
  readonly step: number | null;
  readonly steps: readonly number[] | null;
  /** The steps are of one byte, 128 less than they are. */
  readonly isShort: boolean;
  readonly scale: number | null;
  readonly base: number | null;
  readonly value: number | null;
  /** Codes, of which those of one byte are 128 less, and those of two 32,768. */
  readonly codes1: Numbers | null;
  readonly codes2: Numbers | null;
  readonly codes4: Numbers | null;
  readonly values: Numbers | null;
  readonly length: number | null;
  readonly lengths: Numbers | null;
  readonly offset: number | null;
  readonly offsets: Numbers | null;
  readonly second: number | null;
  readonly seconds: Numbers | null;
  readonly context: number | null;
  readonly contexts: Numbers | null;
  readonly extra: Extra;
  readonly extras: readonly Extra[] | null;
}

/** The JSON of a piece `p`. Postgres would take several times as long to decode it as this process does. */
export function pieceJson(sql: Sql): Fragment {
  return sql`json_build_object('format', p.format, 'from', round(date_part('epoch', p.from_ts) * 1000), 'count', p.count,
    'tick', p.tick_ms, 'step', p.step, 'steps', CASE WHEN p.steps1 IS NULL THEN p.steps4 ELSE p.steps1::int[] END, 'isShort', p.steps1 IS NOT NULL,
    'scale', p.value_scale, 'base', p.value_base, 'value', p.value, 'codes1', p.values1::int[], 'codes2', p.values2, 'codes4', p.values4,
    'values', p.values8, 'length', p.length, 'lengths', p.lengths, 'offset', p.tz_offset, 'offsets', p.tz_offsets, 'second', p.value2,
    'seconds', p.second_values, 'context', p.context_id, 'contexts', p.context_ids, 'extra', p.extra, 'extras', to_json(p.extras))`;
}

/** Throws AppError `packed_samples_unreadable` for a format that this version does not know. */
function assertKnown({ format }: PieceJson): void {
  if (format === 1) return;
  throw new AppError({
    code: 'packed_samples_unreadable',
    kind: 'bug',
    message: 'Packed values cannot be read.',
    details: { reason: 'unknown_version', format },
  });
}

/** The times of a piece, in milliseconds since the epoch. Throws AppError `packed_samples_unreadable`. */
export function timesOf(piece: PieceJson): number[] {
  assertKnown(piece);
  const { from, count, tick, step, steps, isShort } = piece;
  const times: number[] = [];
  const above = isShort ? 128 : 0;
  let at = from;
  for (let index = 0; index < count; index += 1) {
    if (steps === null) at = from + index * (step ?? 0) * tick;
    else at += ((steps[index] ?? 0) + above) * tick;
    times.push(at);
  }
  return times;
}

/** The codes of a piece's values and the number that each is below its code; null where the values have no scale. */
export function codesOf({ codes1, codes2, codes4 }: PieceJson): { readonly codes: Numbers; readonly above: number } | null {
  if (codes1 !== null) return { codes: codes1, above: 128 };
  if (codes2 !== null) return { codes: codes2, above: 32_768 };
  return codes4 === null ? null : { codes: codes4, above: 0 };
}

/** The value of a code. */
export function valueOf({ scale, base }: PieceJson, code: number): number {
  return (code + (base ?? 0)) / (scale ?? 1);
}
