import type { CanonicalRecord } from '@pulsewire/contract';
import { mapEach } from '../kit/records/map-records.ts';
import { isWithin } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { typedIn } from './beurer.ts';
import { kinds, valuesOf, type Kind } from './read-values.ts';

function removalsOf(kind: Kind, externalId: string, source: string, ms: number, context: RecordMaker): CanonicalRecord[] {
  return kinds[kind].resources.map((resource) =>
    resource === 'body' ? context.removal({ resource, sourceType: source, externalId }) : context.sampleRemoval(resource, source, [ms]),
  );
}

function readOne(kind: Kind, item: JsonNode, window: PullWindow, context: RecordMaker): CanonicalRecord[] {
  const externalId = item.at('id').id();
  const { ms, offset: timezoneOffset } = item.at('measured_at').time(parseInstant);
  const day = msToDay(ms + timezoneOffset * 1000);
  if (!isWithin(day, window)) return [];
  const source = item.at('manual').value === true ? typedIn : kinds[kind].device;
  if (item.at('deleted').value === true) return removalsOf(kind, externalId, source, ms, context);
  const { body, samples } = valuesOf(kind, item);
  return [
    ...(body === null
      ? []
      : [context.summary({ resource: 'body', sourceType: source, externalId, calendarDate: day, at: ms, data: body, raw: item })]),
    ...samples.flatMap(([resource, value, more = {}]) =>
      value === null ? [] : context.samples(resource, source, [{ ts: ms, value, timezoneOffset, ...more }]),
    ),
  ];
}

/** A list of one kind of measurements, bare or as `items`. */
export function mapMeasurements(kind: Kind, response: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const root = new JsonNode(response);
  const list = Array.isArray(response) ? root : root.at('items');
  return mapEach(kinds[kind].resources[0], list, (item) => readOne(kind, item, window, context));
}
