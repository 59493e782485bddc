import type { Zone } from '../model/zone.ts';
import { memberOf, type DataType, type Point } from './data/data-type.ts';
import { badFilter } from './errors.ts';
import { civilText } from './data/times.ts';

type Clock = 'physical' | 'civil' | 'date';

interface Comparison {
  readonly clock: Clock;
  readonly operator: '>=' | '<';
  readonly literal: string;
}

/** Alternatives of which each is a list of conditions. */
interface PointFilter {
  readonly alternatives: readonly (readonly Comparison[])[];
}

const comparisonPattern = /^([a-z0-9_.]+)\s*(>=|<=|>|<|!=|=)\s*"([^"]*)"$/;
const literals: Readonly<Record<Clock, RegExp>> = {
  physical: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
  civil: /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

/** What may be compared, by the type's record. */
function membersOf(type: DataType): ReadonlyMap<string, Clock> {
  const name = memberOf(type);
  if (type.record === 'daily') return new Map([[`${name}.date`, 'date']]);
  if (type.record === 'sample')
    return new Map([
      [`${name}.sample_time.physical_time`, 'physical'],
      [`${name}.sample_time.civil_time`, 'civil'],
    ]);
  if (type.name === 'electrocardiogram') return new Map([[`${name}.interval.start_time`, 'physical']]);
  if (type.name === 'sleep')
    return new Map([
      [`${name}.interval.end_time`, 'physical'],
      [`${name}.interval.civil_end_time`, 'civil'],
    ]);
  const civil = [`${name}.interval.civil_start_time`, 'civil'] as const;
  return type.record === 'session' ? new Map([civil]) : new Map([[`${name}.interval.start_time`, 'physical'], civil]);
}

function readComparison(text: string, type: DataType): Comparison {
  const [, member, operator, literal] = comparisonPattern.exec(text.trim()) ?? [];
  if (member === undefined || literal === undefined) throw badFilter(`'${text}' is not a restriction`, 'SYNTAX');
  const clock = membersOf(type).get(member);
  if (clock === undefined) throw badFilter(`Unsupported member '${member}' for ${type.name}`, 'DATA_TYPE_MEMBER');
  if (operator !== '>=' && (operator !== '<' || type.name === 'electrocardiogram'))
    throw badFilter(`Unsupported comparator '${operator}'`, 'COMPARATOR');
  if (!literals[clock].test(literal) || Number.isNaN(Date.parse(literal))) throw badFilter(`Invalid literal '${literal}'`, 'LITERAL');
  return { clock, operator, literal };
}

/** The upper bound must be larger than the lower one of the same clock. */
function assertOrdered(conditions: readonly Comparison[]): void {
  for (const low of conditions.filter(({ operator }) => operator === '>='))
    for (const high of conditions.filter(({ operator, clock }) => operator === '<' && clock === low.clock))
      if (Date.parse(low.literal) >= Date.parse(high.literal))
        throw badFilter('end time must be strictly larger than start time', 'TIME_RANGE');
}

/** Reads a filter; null where there is none. Throws a refusal that names what is wrong. */
export function readFilter(text: string | null, type: DataType): PointFilter | null {
  if (text === null || text === '') return null;
  const parts = text.split(' OR ');
  if (parts.length > 1 && type.name !== 'sleep') throw badFilter('OR is not supported', 'OPERATOR');
  const alternatives = parts.map((part) => {
    const conditions = part.split(' AND ').map((condition) => readComparison(condition, type));
    assertOrdered(conditions);
    return conditions;
  });
  return { alternatives };
}

function meets({ clock, operator, literal }: Comparison, point: Point, ms: number, zone: Zone): boolean {
  if (clock === 'physical') return operator === '>=' ? ms >= Date.parse(literal) : ms < Date.parse(literal);
  const shown = clock === 'date' ? point.date : civilText(zone, ms);
  const padded = clock === 'date' ? literal : `${literal}${'2000-01-01T00:00:00'.slice(literal.length)}`.slice(0, 19);
  return operator === '>=' ? shown >= padded : shown < padded;
}

/** True if the point is in the filter's range: a night by its end, everything else by its start. */
export function isInFilter({ alternatives }: PointFilter, type: DataType, point: Point, zone: Zone): boolean {
  const ms = type.name === 'sleep' ? point.endMs : point.startMs;
  return alternatives.some((conditions) => conditions.every((condition) => meets(condition, point, ms, zone)));
}

/** The local dates in which points can lie, with a day around for zones; open ends are null. */
export function datesOf({ alternatives }: PointFilter): { readonly first: string | null; readonly last: string | null } {
  const dates = (wanted: '>=' | '<') =>
    alternatives.map((conditions) => conditions.filter(({ operator }) => operator === wanted).map(({ literal }) => literal.slice(0, 10)));
  const lows = dates('>=');
  const highs = dates('<');
  return {
    first: lows.some((bounds) => bounds.length === 0) ? null : (lows.flat().toSorted()[0] ?? null),
    last: highs.some((bounds) => bounds.length === 0) ? null : (highs.flat().toSorted().at(-1) ?? null),
  };
}
