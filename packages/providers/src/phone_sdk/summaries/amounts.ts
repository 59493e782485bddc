import type { Sample } from '@pulsewire/contract';

/**
 * Series whose samples are made of several kinds of amounts, each from another type of record: metres walked and metres ridden. A sample is
 * identified by series, source and time, so amounts that begin together are one sample, their sum. It keeps what each kind contributed, so
 * that the sum does not depend on the order in which they arrive. On the wire these fields do not appear.
 */
export const amountSeries: readonly string[] = ['distance'];

/** What a kind contributed: its amount, and its end in ms since the epoch. */
type Contribution = readonly [value: number, endMs: number | null];
export type AmountParts = Readonly<Record<string, Contribution>>;

/** The kind of records that state no other one. */
export const mainPart = 'main';

type Amount = Pick<Sample, 'extra' | 'end'> & { readonly value: number | null };

/** The contributions to a sample. */
export function partsOf({ value, end, extra }: Amount): AmountParts {
  return (extra?.['parts'] as AmountParts | undefined) ?? { [mainPart]: [value ?? 0, end ?? null] };
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/** The value, end and extra fields of a sample of these contributions, of which there is at least one. */
export function sumParts(parts: AmountParts): Pick<Sample, 'value' | 'end' | 'extra'> {
  const entries = Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const ends = entries.flatMap(([, [, endMs]]) => (endMs === null ? [] : [endMs]));
  const value = rounded(entries.reduce((sum, [, [amount]]) => sum + amount, 0));
  const isMain = entries.length === 1 && entries[0]?.[0] === mainPart;
  return { value, ...(ends.length > 0 && { end: Math.max(...ends) }), ...(!isMain && { extra: { parts: Object.fromEntries(entries) } }) };
}
