import type { CanonicalRecord } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { readEachOf, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { isWithin, measuredBy, positive, sampleAt, type Measured, type MeasurementMapper } from './measured.ts';
import { sources, type OmronValues } from './omron.ts';

const kilograms: Readonly<Record<string, number>> = { kg: 1, lb: 0.453_592_37, lbs: 0.453_592_37 };

/** In kg; null without a unit. */
function readWeight(item: JsonNode, { weightUnit }: OmronValues): number | null {
  const unit = item.at('weightUnits').optional((node) => node.text()) ?? weightUnit;
  const factor = kilograms[unit.toLowerCase()];
  const weight = positive(item.at('weight'));
  return weight === null || factor === undefined ? null : roundTo(weight * factor, 3);
}

function readOne(measured: Measured, context: RecordMaker, values: OmronValues): CanonicalRecord[] {
  const { item, ms, day } = measured;
  const weight = readWeight(item, values);
  const [fat, index] = [positive(item.at('bodyFatPercentage')), positive(item.at('bmiValue'))];
  if (weight === null && fat === null && index === null) return [];
  const ids = { resource: 'body', sourceType: sources.scale, externalId: item.at('id').id() };
  return [
    context.summary({ ...ids, calendarDate: day, at: ms, data: { weight, fat, body_mass_index: index }, raw: item }),
    ...context.samples('weight', sources.scale, sampleAt(measured, weight)),
    ...context.samples('fat', sources.scale, sampleAt(measured, fat)),
    ...context.samples('body_mass_index', sources.scale, sampleAt(measured, index, { end: ms })),
  ];
}

export function createWeightMapper(values: OmronValues): MeasurementMapper {
  return (measured, window, context, quarantined) => {
    const wanted = measured.filter((one) => isWithin(one, window));
    const [first] = wanted;
    const read = (one: Measured) => measuredBy(one, sources.scale, context, readOne(one, context, values));
    return first ? readEachOf('body', first.item, wanted, quarantined, read).flat() : [];
  };
}
