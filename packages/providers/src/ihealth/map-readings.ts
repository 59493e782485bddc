import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { toMillimoles } from '../kit/values/glucose.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { measuredAt, type Moment } from './clock.ts';
import { typedIn } from './ihealth.ts';
import { measured, unitFactor, type ListMapper } from './list-mapper.ts';

const mmHgPerKPa = 7.500_62;
const kgPerPound = 0.453_592_37;
const kgPerStone = 6.350_293;
const pressureFactors = [1, mmHgPerKPa];
const weightFactors = [1, kgPerPound, kgPerStone];
const isMillimoles = [0, 1];

/** One item of a list, with what its records have in common. */
interface Reading {
  readonly item: JsonNode;
  readonly moment: Moment;
  readonly source: string;
  put(resource: string, value: number | null, more?: Partial<Sample>): CanonicalRecord[];
}

interface ReadingList {
  readonly listKey: string;
  readonly unitKey?: string;
  /** What each unit multiplies by. */
  readonly factors?: readonly number[];
  readonly resource: string;
  readonly device: string;
  read(reading: Reading, factor: number, context: RecordMaker): CanonicalRecord[];
}

/** What the person wrote beside a reading. */
function noteOf({ item, moment, put }: Reading): CanonicalRecord[] {
  const text = item.at('Note').optional((node) => node.words().trim()) ?? '';
  return text === '' ? [] : put('note', null, { end: moment.ms, extra: { text, tags: ['unspecified'] } });
}

function readingMapper({ listKey, unitKey, factors = [1], resource, device, read }: ReadingList): ListMapper {
  return (body, window, context) => {
    const quarantined: Quarantined[] = [];
    const root = new JsonNode(body);
    const factor = unitKey === undefined ? 1 : unitFactor(root.at(unitKey), factors, resource, quarantined);
    if (factor === null) return { records: [], quarantined };
    const records = readEach(resource, root.at(listKey), quarantined, (item): CanonicalRecord[] => {
      const moment = measuredAt(item, context);
      if (!isWithin(moment.day, window)) return [];
      const source = item.at('DataSource').value === 'Manual' ? typedIn : device;
      const { ms: ts, offset: timezoneOffset, offsetFrom } = moment;
      const put: Reading['put'] = (name, value, more = {}) =>
        value === null && more.extra === undefined
          ? []
          : context.samples(name, source, [{ ts, value, timezoneOffset, offsetFrom, ...more }]);
      const reading = { item, moment, source, put };
      return [...read(reading, factor, context), ...noteOf(reading)];
    }).flat();
    return { records, quarantined };
  };
}

/** Blood pressure and pulse. */
export const mapBloodPressure = readingMapper({
  listKey: 'BPDataList',
  unitKey: 'BPUnit',
  factors: pressureFactors,
  resource: 'blood_pressure',
  device: 'cuff',
  read({ item, put }, factor) {
    const [systolic, diastolic] = [measured(item.at('HP')), measured(item.at('LP'))];
    if (systolic === null || diastolic === null) throw item.at('HP').fail('bad_number');
    const pressure = put('blood_pressure', roundTo(systolic * factor, 1), { value2: roundTo(diastolic * factor, 1) });
    return [...pressure, ...put('heartrate', measured(item.at('HR')))];
  },
});

/** Glucose; a unit of 1 is mmol/L. */
export const mapGlucose = readingMapper({
  listKey: 'BGDataList',
  unitKey: 'BGUnit',
  factors: isMillimoles,
  resource: 'glucose',
  device: 'fingerprick',
  read({ item, put }, inMillimoles) {
    const value = measured(item.at('BG'));
    return put('glucose', value === null || inMillimoles === 1 ? value : toMillimoles(value));
  },
});

/** Blood oxygen and pulse. */
export const mapOxygen = readingMapper({
  listKey: 'BODataList',
  resource: 'blood_oxygen',
  device: 'unknown',
  read: ({ item, put }) => [...put('blood_oxygen', measured(item.at('BO'))), ...put('heartrate', measured(item.at('HR')))],
});

/** A weighing. The units of muscle and bone are not stated, so they are left out. */
export const mapWeight = readingMapper({
  listKey: 'WeightDataList',
  unitKey: 'WeightUnit',
  factors: weightFactors,
  resource: 'body',
  device: 'scale',
  read({ item, moment, source, put }, factor, context) {
    const given = measured(item.at('WeightValue'));
    const weight = given === null ? null : roundTo(given * factor, 3);
    const [fat, index, water] = [measured(item.at('FatValue')), measured(item.at('BMI')), measured(item.at('WaterValue'))];
    const data = { weight, fat, body_mass_index: index, water_percentage: water };
    if (weight === null && fat === null) return [];
    const ids = { resource: 'body', sourceType: source, externalId: item.at('DataID').id() };
    return [
      context.summary({ ...ids, calendarDate: moment.day, at: moment.ms, data, raw: item }),
      ...put('weight', weight),
      ...put('fat', fat),
      ...put('body_mass_index', index, { end: moment.ms }),
    ];
  },
});
