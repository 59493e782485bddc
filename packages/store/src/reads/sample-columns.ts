/** A series of a source, whose samples a scan reads. */
export interface Member {
  user_source_id: number;
  series: number;
  sub_kind: string;
}

/**
 * A sample in parts, and the sub-kind of its series; empty where the series has none. Numbers are JSON texts, times in ms since the epoch.
 */
type VisitSample = (
  subKind: string,
  ts: number,
  end: number | null,
  timezoneOffset: string,
  value: string,
  value2: string,
  extra: Readonly<Record<string, unknown>> | null,
) => void;

/** Samples of a scan, still packed in columns, because an object for each would take longer than reading it. */
export interface SampleChunk {
  readonly count: number;
  /** Calls back for the samples from index `from` to before `to`, in order. */
  visit(from: number, to: number, onSample: VisitSample): void;
}

/** Samples in order of time, and of member where times are equal. */
export interface SampleRun extends SampleChunk {
  /** Ms since the epoch. */
  timeAt(index: number): number;
  memberAt(index: number): number;
}

/** The columns of a chunk as texts of arrays; null without rows, and for a column that the resource does not use. */
export interface Columns {
  /** Of the last row. */
  readonly last_us: string | null;
  /** Milliseconds after `baseMs`. */
  readonly ts: string | null;
  readonly end_ts: string | null;
  readonly member: string | null;
  readonly value: string | null;
  readonly tz_offset: string | null;
  readonly value2: string | null;
  readonly extra: string | null;
}

const items = (array: string | null): readonly string[] => (array === null ? [] : array.slice(1, -1).split(','));

/** Numbers of an array. Small ones are parsed several times faster than large ones, and take no memory of their own. */
export function numbers(array: string | null): readonly (number | null)[] {
  return array === null ? [] : (JSON.parse(`[${array.slice(1, -1).replaceAll('NULL', 'null')}]`) as (number | null)[]);
}

/** Offsets as JSON texts. Those of a chunk are mostly equal, which is cheaper to see than to split. */
function offsetReader(array: string | null, count: number): (index: number) => string {
  const first = array?.slice(1, array.indexOf(count === 1 ? '}' : ',')) ?? 'NULL';
  const shared = jsonNumber(first);
  if (array === null || array === `{${`${first},`.repeat(count - 1)}${first}}`) return () => shared;
  const all = items(array);
  return (index) => jsonNumber(all[index]);
}

const minus = '-'.charCodeAt(0);
const nine = '9'.charCodeAt(0);

// Postgres writes NULL, NaN and Infinity, for which JSON has only null; every other number begins with a digit, after a minus or not.
function jsonNumber(text: string | undefined): string {
  if (text === undefined) return 'null';
  const first = text.charCodeAt(0);
  return (first === minus ? text.charCodeAt(1) : first) <= nine ? text : 'null';
}

/** `columns` as a run; `ts` are its times, in milliseconds after `baseMs`. */
export function rowsRun(members: readonly Member[], columns: Columns, ts: readonly (number | null)[], baseMs: number): SampleRun {
  const [end, member] = [numbers(columns.end_ts), numbers(columns.member)];
  const [value, value2] = [items(columns.value), items(columns.value2)];
  const offsetAt = offsetReader(columns.tz_offset, ts.length);
  const extra = columns.extra === null ? [] : (JSON.parse(columns.extra) as readonly (Readonly<Record<string, unknown>> | null)[]);
  return {
    count: ts.length,
    timeAt: (index) => baseMs + (ts[index] as number),
    memberAt: (index) => member[index] ?? 1,
    visit(from, to, onSample) {
      for (let index = from; index < to; index += 1) {
        const endMs = end[index] ?? null;
        onSample(
          members[(member[index] ?? 1) - 1]?.sub_kind ?? '',
          baseMs + (ts[index] as number),
          endMs === null ? null : baseMs + endMs,
          offsetAt(index),
          jsonNumber(value[index]),
          jsonNumber(value2[index]),
          extra[index] ?? null,
        );
      }
    },
  };
}
