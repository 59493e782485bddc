import type { SimAccount } from '../../kit/accounts/accounts.ts';
import type { PersonDay } from '../../kit/person/types.ts';
import { dateFields, intervalFields, sampleFields } from './times.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** One point before it is written in the form of its data type. */
export interface Point {
  /** The local day of a daily value, and that of the start otherwise. */
  readonly date: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Only some types have ids. */
  readonly id?: string;
  readonly fields: Fields;
  /** What rollups add up or average. */
  readonly amount?: number;
  /** What rollups group by. */
  readonly group?: string;
  /** It came through Health Connect: without offsets. */
  readonly isBare?: boolean;
  readonly source?: Fields;
}

export type Operation = 'list' | 'reconcile' | 'get' | 'roll';

export interface DataType {
  /** As in paths: `body-fat`. */
  readonly name: string;
  readonly record: 'interval' | 'sample' | 'daily' | 'session';
  /** Suffix of the scope. */
  readonly scope: string;
  readonly operations: readonly Operation[];
  /** The merged stream of a few whole days, oldest first. */
  points(account: SimAccount, days: readonly PersonDay[]): readonly Point[];
  /** What only the raw list has: the same movement counted by another device. */
  otherSources?(account: SimAccount, days: readonly PersonDay[]): readonly Point[];
  /** The value of a window in which there are points. */
  rollup?(points: readonly Point[]): Fields;
}

export const activityScope = 'activity_and_fitness';
export const metricsScope = 'health_metrics_and_measurements';

const words = (name: string): string[] => name.split('-');

/** As in JSON: `bodyFat`. */
export const keyOf = ({ name }: Pick<DataType, 'name'>): string =>
  words(name)
    .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join('');

/** As in filters: `body_fat`. */
export const memberOf = ({ name }: Pick<DataType, 'name'>): string => words(name).join('_');

/** The value and its time, which stand together under the key of the type. */
export function unionOf(type: DataType, { person: { zone } }: SimAccount, point: Point): Fields {
  const { record, name } = type;
  const { startMs, endMs, isBare = false, fields, date } = point;
  if (record === 'daily') return { [keyOf(type)]: { date: dateFields(date), ...fields } };
  if (record === 'sample') return { [keyOf(type)]: { sampleTime: sampleFields(zone, startMs, isBare), ...fields } };
  // Recorded nights have no civil members.
  const bare = name === 'electrocardiogram' ? 'zero' : 'bare';
  const form = isBare ? bare : name === 'sleep' ? 'offsets' : 'full';
  return { [keyOf(type)]: { interval: intervalFields(zone, startMs, endMs, form), ...fields } };
}
