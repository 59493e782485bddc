import { AppError } from '@pulsewire/kernel';
import type { SampleRun } from './sample-columns.ts';

type Numbers = readonly (number | null)[];

/** A piece as JSON: the columns of `sample_pieces` that a scan needs. Format 1 of PACKED.md. */
export interface ScannedPiece {
  readonly format: number;
  readonly member: number;
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
  readonly extra: Readonly<Record<string, unknown>> | null;
  readonly extras: readonly (Readonly<Record<string, unknown>> | null)[] | null;
}

const jsonText = (value: number | null | undefined): string => (Number.isFinite(value) ? String(value) : 'null');

function timesOf({ from, count, tick, step, steps, isShort }: ScannedPiece): number[] {
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

/** The JSON text of each value. A piece of one-byte codes has at most 256 of them, which are written once. */
function valueReader({ scale, base, value, codes1, codes2, codes4, values }: ScannedPiece): (index: number) => string {
  const textOf = (code: number) => jsonText((code + (base ?? 0)) / (scale ?? 1));
  if (codes1 !== null) {
    const texts: string[] = [];
    return (index) => {
      const code = codes1[index] ?? null;
      return code === null ? 'null' : (texts[code + 128] ??= textOf(code + 128));
    };
  }
  const [codes, above] = codes2 === null ? [codes4, 0] : [codes2, 32_768];
  if (codes !== null)
    return (index) => {
      const code = codes[index] ?? null;
      return code === null ? 'null' : textOf(code + above);
    };
  if (values !== null) return (index) => jsonText(values[index]);
  const shared = jsonText(value);
  return () => shared;
}

function textReader(shared: number | null, each: Numbers | null): (index: number) => string {
  const text = jsonText(shared);
  return each === null ? () => text : (index) => jsonText(each[index]);
}

/** The samples of a piece in order of time. Throws AppError `packed_samples_unreadable` for a format that this version does not know. */
export function pieceRun(piece: ScannedPiece, subKind: string): SampleRun {
  if (piece.format !== 1)
    throw new AppError({
      code: 'packed_samples_unreadable',
      kind: 'bug',
      message: 'Packed values cannot be read.',
      details: { reason: 'unknown_version', format: piece.format },
    });
  const times = timesOf(piece);
  const { member, tick, length, lengths, extra, extras } = piece;
  const valueAt = valueReader(piece);
  const secondAt = textReader(piece.second, piece.seconds);
  const offsetAt = textReader(piece.offset, piece.offsets);
  return {
    count: times.length,
    timeAt: (index) => times[index] as number,
    memberAt: () => member,
    visit(from, to, onSample) {
      for (let index = from; index < to; index += 1) {
        const ts = times[index] as number;
        const ticks = lengths === null ? length : (lengths[index] ?? null);
        const end = ticks === null ? null : ts + ticks * tick;
        onSample(subKind, ts, end, offsetAt(index), valueAt(index), secondAt(index), extras === null ? extra : (extras[index] ?? null));
      }
    },
  };
}
