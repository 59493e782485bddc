import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import { readEachOf, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { measuredBy, positive, sampleAt, type Measured, type MeasurementMapper } from './measured.ts';
import { sources, type OmronValues } from './omron.ts';

const pound = 0.453_592_37;
const kilograms: ReadonlyMap<string, number> = new Map(
  Object.entries({ kg: 1, kgs: 1, kilograms: 1, lb: pound, lbs: pound, pounds: pound }),
);

/** In kg. A weight whose unit is neither stated nor configured is set aside; the rest of the weighing does not depend on it. */
function readWeight(item: JsonNode, { weightUnit }: OmronValues, quarantined: Quarantined[]): number | null {
  const weight = positive(item.at('weight'));
  if (weight === null) return null;
  const stated = item.at('weightUnits');
  const unit = stated.optional((node) => node.text()) || weightUnit;
  const factor = kilograms.get(unit.trim().toLowerCase());
  if (factor !== undefined) return roundTo(weight * factor, 3);
  quarantined.push({ resource: 'weight', reason: unit === '' ? 'missing_field' : 'unknown_shape', pointer: stated.pointer });
  return null;
}

interface Weighing {
  readonly window: PullWindow;
  readonly context: RecordMaker;
  readonly values: OmronValues;
  readonly quarantined: Quarantined[];
}

function readOne(measured: Measured, { window, context, values, quarantined }: Weighing): CanonicalRecord[] {
  const { item, ms, day } = measured;
  const weight = readWeight(item, values, quarantined);
  const [fat, index] = [positive(item.at('bodyFatPercentage')), positive(item.at('bmiValue'))];
  if (weight === null && fat === null && index === null) {
    leaveOut(window, 'no_value');
    return [];
  }
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
    const wanted = measured.filter(({ day }) => isWithin(day, window));
    const [first] = wanted;
    const read = (one: Measured) => measuredBy(one, sources.scale, context, readOne(one, { window, context, values, quarantined }));
    return first ? readEachOf('body', first.item, wanted, quarantined, read).flat() : [];
  };
}
