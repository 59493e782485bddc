import type { CanonicalRecord } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../kit/records/left-out.ts';
import { deviceFields, deviceOf, recordedBy, textOrNull } from '../kit/records/recorded-by.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { measured, timeOf } from './rows.ts';
import { sources } from './renpho.ts';

const noScale = '00000';
const typedIn = 0;
/** Plausible shares and masses, because clients contradict each other on the unit. */
const muscleShare = { min: 20, max: 80 };
const boneMass = { min: 0.5, max: 10 };

function sourceOf(row: JsonNode): string {
  const isTyped = row.at('method').value === typedIn || row.at('deviceType').value === noScale || row.at('internalModel').value === noScale;
  return isTyped ? sources.app : sources.scale;
}

/** The scale of a row, by its address; null for a weight that was typed in. */
function scaleOf(row: JsonNode, sourceType: string, context: RecordMaker) {
  return deviceOf(context, {
    externalId: sourceType === sources.scale ? textOrNull(row.at('mac')) : null,
    sourceType,
    manufacturer: 'Renpho',
    model: textOrNull(row.at('scaleName')),
    version: null,
    raw: deviceFields(row, ['deviceType', 'internalModel', 'scaleName', 'mac']),
  });
}

function muscleOf(row: JsonNode, weight: number | null): number | null {
  const stated = measured(row.at('sinewRatio'));
  if (stated !== null) return stated;
  const kilograms = measured(row.at('sinew'));
  if (kilograms === null || weight === null || kilograms >= weight) return null;
  const share = roundTo((kilograms / weight) * 100, 1);
  return share >= muscleShare.min && share <= muscleShare.max ? share : null;
}

function boneOf(row: JsonNode, weight: number | null): number | null {
  const kilograms = measured(row.at('bone'));
  if (kilograms === null || weight === null || kilograms < boneMass.min || kilograms > boneMass.max) return null;
  return roundTo((kilograms / weight) * 100, 1);
}

/** The row's own id; the same row of both calls has the same one. */
export function keyOf(row: JsonNode): string {
  return `${row.at('id').id()} ${row.at('timeStamp').id()}`;
}

/** A weighing: weights are in kilograms, whatever unit the app shows. */
export function mapRow(row: JsonNode, window: PullWindow, context: RecordMaker): readonly CanonicalRecord[] {
  const { value: invalid } = row.at('invalidFlag');
  const { ms, offset: timezoneOffset, offsetFrom, day } = timeOf(row, context);
  if (!isWithin(day, window)) return [];
  if (invalid === 1 || invalid === true || invalid === '1') {
    leaveOut(window, 'no_value');
    return [];
  }
  const sourceType = sourceOf(row);
  const weight = measured(row.at('weight'));
  const [fat, index, lean] = [measured(row.at('bodyfat')), measured(row.at('bmi')), measured(row.at('fatFreeWeight'))];
  if (weight === null && fat === null) throw row.at('weight').fail('bad_number');
  const put = (resource: string, value: number | null, more = {}) =>
    value === null ? [] : context.samples(resource, sourceType, [{ ts: ms, value, timezoneOffset, offsetFrom, ...more }]);
  const data = {
    weight,
    fat,
    body_mass_index: index,
    lean_body_mass_kilogram: lean,
    water_percentage: measured(row.at('water')),
    muscle_mass_percentage: muscleOf(row, weight),
    bone_mass_percentage: boneOf(row, weight),
    visceral_fat_index: measured(row.at('visfat')),
  };
  return recordedBy<CanonicalRecord>(scaleOf(row, sourceType, context), [
    context.summary({ resource: 'body', sourceType, externalId: row.at('id').id(), calendarDate: day, at: ms, data, raw: row }),
    ...put('weight', weight),
    ...put('fat', fat),
    ...put('body_mass_index', index, { end: ms }),
    ...put('lean_body_mass', lean, { end: ms }),
    ...put('heartrate', measured(row.at('heartRate'))),
  ]);
}

/** The waist in centimeters; codes of other units are not public. */
export function mapGirth(row: JsonNode, window: PullWindow, context: RecordMaker): CanonicalRecord[] {
  const { ms, offset: timezoneOffset, offsetFrom, day } = timeOf(row, context);
  const waist = measured(row.at('waistValue'));
  const unit = row.at('waistValueUnit').value ?? row.at('waistUnit').value ?? 0;
  if (!isWithin(day, window)) return [];
  if (waist !== null && Number(unit) !== 0) throw row.at('waistValue').fail('unknown_shape');
  if (waist === null) {
    leaveOut(window, 'no_value');
    return [];
  }
  return context.samples('waist_circumference', sources.tape, [{ ts: ms, end: ms, value: waist, timezoneOffset, offsetFrom }]);
}
