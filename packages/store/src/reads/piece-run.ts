import { codesOf, timesOf, valueOf, type PieceJson } from './piece-json.ts';
import type { SampleRun } from './sample-columns.ts';

const jsonText = (value: number | null | undefined): string => (Number.isFinite(value) ? String(value) : 'null');

/** The JSON text of each value. Each of the 256 values of one-byte codes is written once. */
function valueReader(piece: PieceJson): (index: number) => string {
  const coded = codesOf(piece);
  if (coded !== null) {
    const { codes, above } = coded;
    const texts = new Map<number, string>();
    return (index) => {
      const code = codes[index] ?? null;
      if (code === null) return 'null';
      let text = texts.get(code);
      if (text === undefined) texts.set(code, (text = jsonText(valueOf(piece, code + above))));
      return text;
    };
  }
  return textReader(piece.value, piece.values);
}

function textReader(shared: number | null, each: readonly (number | null)[] | null): (index: number) => string {
  const text = jsonText(shared);
  return each === null ? () => text : (index) => jsonText(each[index]);
}

/** The samples of a piece of a member in order of time. Throws AppError `packed_samples_unreadable`. */
export function pieceRun(piece: PieceJson, member: number, subKind: string): SampleRun {
  const times = timesOf(piece);
  const { tick, length, lengths, extra, extras } = piece;
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
