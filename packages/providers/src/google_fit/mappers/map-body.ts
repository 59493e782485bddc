import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { rawOfParts } from '../../kit/records/raw-of.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { amountAt, localTime, readEachPoint, readSourceType, readTimes } from '../read-point.ts';

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
