import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { readEachOf } from '../kit/values/json-node.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import { measuredBy, positive, sampleAt, type Measured } from './measured.ts';
import { sources } from './omron.ts';

export const irregular = 'irregular_rhythm';

/** Alerts of a possible atrial fibrillation are in the list of pressures, with zeros as values. */
function readOne(measured: Measured, context: RecordMaker): CanonicalRecord[] {
  const { item, ms } = measured;
  if (item.at('possibleAfib').value === true)
    return context.samples('heart_rate_alert', sources.cuff, sampleAt(measured, 1, { end: ms }), irregular);
  const unit = item.at('bloodPressureUnits');
  if (!unit.isMissing && unit.text().toLowerCase() !== 'mmhg') throw unit.fail('unknown_shape');
  const [systolic, diastolic] = [positive(item.at('systolic')), positive(item.at('diastolic'))];
  if (systolic === null || diastolic === null) throw item.at('systolic').fail('bad_number');
  return [
    ...context.samples('blood_pressure', sources.cuff, sampleAt(measured, systolic, { value2: diastolic })),
    ...context.samples('heartrate', sources.cuff, sampleAt(measured, positive(item.at('pulse')))),
  ];
}

export function mapBloodPressure(
  measured: readonly Measured[],
  window: PullWindow,
  context: RecordMaker,
  quarantined: Quarantined[],
): CanonicalRecord[] {
  const wanted = measured.filter(({ day }) => isWithin(day, window));
  const [first] = wanted;
  return first
    ? readEachOf('blood_pressure', first.item, wanted, quarantined, (one) =>
        measuredBy(one, sources.cuff, context, readOne(one, context)),
      ).flat()
    : [];
}
