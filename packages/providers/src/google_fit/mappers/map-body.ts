import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { rawOfParts } from '../../kit/records/raw-of.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { appSource } from '../google-fit.ts';
import { amountAt, localTime, readEachPoint, readSourceType, readTimes } from '../read-point.ts';

/** The data set of `height`, in metres: the newest one. Google Fit has no other facts about the person. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const heights = readEachPoint('profile', body, quarantined, (point) => {
    const metres = amountAt(point, 0);
    return metres === null ? undefined : { ms: readTimes(point).startMs, centimetres: Math.round(metres * 100), raw: point };
  });
  if (heights.length === 0) return { records: [], quarantined };
  const newest = heights.reduce((a, b) => (b.ms >= a.ms ? b : a));
  const ids = { sourceType: appSource, externalId: 'profile', calendarDate: null };
  // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
  return {
    records: [context.summary({ ...ids, resource: 'profile', at: 0, data: { height: newest.centimetres }, raw: newest.raw })],
    quarantined,
  };
}

interface Measured {
  readonly ms: number;
  readonly type: string;
  readonly field: 'weight' | 'fat';
  readonly value: number;
  readonly point: JsonNode;
}

function readMeasured(body: unknown, field: Measured['field'], quarantined: Quarantined[]): Measured[] {
  return readEachPoint(field, body, quarantined, (point): Measured | undefined => {
    const { startMs } = readTimes(point);
    const value = amountAt(point, 0);
    return value === null ? undefined : { ms: startMs, type: readSourceType(point), field, value: roundTo(value, 3), point };
  });
}

export interface BodyPages {
  readonly weight: readonly unknown[];
  readonly fat: readonly unknown[];
}

/** Weighings: samples of weight and fat, and a body summary for each instant with what was measured at it. */
export function mapBody({ weight, fat }: BodyPages, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const measured = [
    ...weight.flatMap((body) => readMeasured(body, 'weight', quarantined)),
    ...fat.flatMap((body) => readMeasured(body, 'fat', quarantined)),
  ];
  const samples = [...Map.groupBy(measured, ({ type, field }) => `${field} ${type}`).values()].flatMap((found) => {
    const { type = '', field = '' } = found[0] ?? {};
    const list = found.map(({ ms, value }): Sample => {
      const { offset, offsetFrom } = localTime(ms, context);
      return { ts: ms, value, timezoneOffset: offset, offsetFrom };
    });
    return context.samples(field, type, list);
  });
  const bodies = [...Map.groupBy(measured, ({ ms, type }) => `${ms} ${type}`).values()].map((found): CanonicalRecord => {
    const { ms = 0, type = '' } = found[0] ?? {};
    return context.summary({
      resource: 'body',
      sourceType: type,
      externalId: String(ms),
      calendarDate: localTime(ms, context).day,
      at: ms,
      raw: rawOfParts(Object.fromEntries(found.map(({ field, point }) => [field, point]))),
      data: Object.fromEntries(found.map(({ field, value }) => [field, value])),
    });
  });
  return { records: [...bodies, ...samples], quarantined };
}
