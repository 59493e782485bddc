import { codesOf, timesOf, valueOf, type PieceJson } from '../reads/piece-json.ts';

export type Column = readonly (number | null)[];

/** The stored samples between the first and the last time of a batch, as columns. A column is empty where all its values are null. */
export interface StoredRows {
  /** Ascending, ms since the epoch. */
  readonly ts: readonly number[];
  readonly value: Column;
  readonly value2: Column;
  /** Ms since the epoch. */
  readonly end: Column;
  readonly offset: Column;
  readonly contextId: Column;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A column of a piece: each value, or one that all share. */
const at = (each: Column | null, shared: number | null, index: number) => (each === null ? shared : (each[index] ?? null));

const empty = (): { [Name in keyof StoredRows]: (number | null)[] } => ({
  ts: [],
  value: [],
  value2: [],
  end: [],
  offset: [],
  contextId: [],
});

/** The samples of pieces within a range, in order of time. */
function samplesOf(pieces: readonly PieceJson[], { fromMs, toMs }: Range): StoredRows {
  const all = empty();
  for (const piece of pieces) {
    const coded = codesOf(piece);
    for (const [index, ts] of timesOf(piece).entries()) {
      if (ts < fromMs || ts > toMs) continue;
      const code = coded?.codes[index] ?? null;
      const ticks = at(piece.lengths, piece.length, index);
      all.ts.push(ts);
      all.value.push(coded === null ? at(piece.values, piece.value, index) : code === null ? null : valueOf(piece, code + coded.above));
      all.value2.push(at(piece.seconds, piece.second, index));
      all.end.push(ticks === null ? null : ts + ticks * piece.tick);
      all.offset.push(at(piece.offsets, piece.offset, index));
      all.contextId.push(at(piece.contexts, piece.context, index));
    }
  }
  return all as unknown as StoredRows;
}

/** Rows of a range together with what pieces have of it, in order of time. */
export function withPieces(rows: StoredRows, pieces: readonly PieceJson[], range: Range): StoredRows {
  const packed = samplesOf(pieces, range);
  if (rows.ts.length === 0) return packed;
  const merged = empty();
  const names = Object.keys(merged) as (keyof StoredRows)[];
  let [row, sample] = [0, 0];
  while (row < rows.ts.length || sample < packed.ts.length) {
    const isRow = sample >= packed.ts.length || (rows.ts[row] ?? Infinity) < (packed.ts[sample] ?? Infinity);
    for (const name of names) merged[name].push((isRow ? rows[name][row] : packed[name][sample]) ?? null);
    if (isRow) row += 1;
    else sample += 1;
  }
  return merged as unknown as StoredRows;
}
