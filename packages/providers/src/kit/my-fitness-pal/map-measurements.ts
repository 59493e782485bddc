import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { noonOf } from '../records/meals/meal-hour.ts';
import type { RecordMaker } from '../records/record-maker.ts';
import { readEach, type JsonNode } from '../values/json-node.ts';
import { roundTo } from '../values/numbers.ts';
import type { MappedRecords } from '../types/connector.ts';
import { app, itemsOf } from './items.ts';

const kilogramsPer: Readonly<Record<string, number>> = { kilograms: 1, pounds: 0.453_592_37 };

function readWeight(item: JsonNode, context: RecordMaker): CanonicalRecord[] {
  if (String(item.at('type').value).toLowerCase() !== 'weight') throw item.at('type').fail('unknown_shape');
  const day = item.at('date').day();
  const unit = item.at('unit').text();
  const factor = Object.hasOwn(kilogramsPer, unit) ? kilogramsPer[unit] : undefined;
  if (factor === undefined) throw item.at('unit').fail('unknown_shape');
  const weight = roundTo(item.at('value').amount() * factor, 3);
  const { ms, offset } = noonOf(day, context);
  return [
    // Only the first weight of a day is returned, and an edit keeps its id.
    context.summary({
      resource: 'body',
      sourceType: app,
      externalId: item.at('id').id(),
      calendarDate: day,
      at: ms,
      data: { weight },
      raw: item,
    }),
    ...context.samples('weight', app, [{ ts: ms, value: weight, timezoneOffset: offset }]),
  ];
}

/** A response of `/v2/measurements`: a body summary and a sample for each weight. */
export function mapMeasurements(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  return { records: readEach('weight', itemsOf(body), quarantined, (item) => readWeight(item, context)).flat(), quarantined };
}
