import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../../kit/records/left-out.ts';
import { JsonNode, readEach, readEachOf } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { deviceOfRow, sourceOfModel } from '../devices.ts';
import { instant, sources, type WithingsContext } from '../withings.ts';

/** The mapped `type`s of measures. */
export const measureTypes = {
  weight: 1,
  height: 4,
  leanMass: 5,
  fat: 6,
  diastolic: 9,
  systolic: 10,
  pulse: 11,
  temperature: 12,
  spo2: 54,
  bodyTemperature: 71,
  skinTemperature: 73,
  muscle: 76,
  hydration: 77,
  bone: 88,
  vo2Max: 123,
  visceralFat: 170,
} as const;

type MeasureName = keyof typeof measureTypes;
const nameOf = new Map(Object.entries(measureTypes).map(([name, type]) => [type as number, name as MeasureName]));

export interface MeasureGroup {
  readonly id: string;
  readonly ms: number;
  readonly isTyped: boolean;
  readonly timeZone: unknown;
  /** The source type of the device's model; null when the model is missing or unknown. */
  readonly device: string | null;
  readonly item: JsonNode;
  readonly values: Readonly<Partial<Record<MeasureName, number>>>;
}

/** 1: taken by a device that several people share, and not confirmed by this one. */
const ambiguous = 1;
const typedIn: ReadonlySet<number> = new Set([2, 4]);
const goals = 2;

/** Groups of measures; goals, and what may be another person's, are left out. */
export function readGroups(body: unknown, quarantined: Quarantined[], window: PullWindow | null = null): MeasureGroup[] {
  const page = new JsonNode(body).at('body');
  return readEach('body', page.at('measuregrps'), quarantined, (group): MeasureGroup | undefined => {
    const id = group.at('grpid').id();
    const ms = instant(group.at('date'));
    const attrib = group.at('attrib').optional((node) => node.number()) ?? 0;
    const isOthers = attrib === ambiguous;
    if (isOthers || group.at('category').value === goals) {
      leaveOut(window, isOthers ? 'other_person' : 'unknown_kind');
      return undefined;
    }
    const measures = group.at('measures');
    const values = readEachOf('body', measures, measures.items(), quarantined, (item) => {
      const name = nameOf.get(item.at('type').number());
      // Parsing the decimal text is exact; multiplying by a power of ten in floating point is not.
      if (name === undefined) leaveOut(window, 'unknown_kind');
      return name === undefined ? undefined : ([name, Number(`${item.at('value').number()}e${item.at('unit').number()}`)] as const);
    });
    const timeZone = group.at('timezone').value ?? page.at('timezone').value;
    const device = sourceOfModel(group.at('modelid'));
    return { id, ms, isTyped: typedIn.has(attrib), timeZone, device, item: group, values: Object.fromEntries(values) };
  });
}

function bodyOf({ id, ms, item, values }: MeasureGroup, sourceType: string, day: string, context: WithingsContext): CanonicalRecord[] {
  const { weight, fat, leanMass, muscle, hydration, bone, visceralFat } = values;
  if (weight === undefined && fat === undefined) return [];
  const share = (kg: number | undefined) => (kg === undefined || !weight ? null : roundTo((kg / weight) * 100, 1));
  const data = {
    weight: weight ?? null,
    fat: fat ?? null,
    water_percentage: share(hydration),
    muscle_mass_percentage: share(muscle),
    bone_mass_percentage: share(bone),
    visceral_fat_index: visceralFat ?? null,
    lean_body_mass_kilogram: leanMass ?? null,
  };
  return [context.summary({ resource: 'body', sourceType, externalId: id, calendarDate: day, at: ms, data, raw: item })];
}

/** The kind of measurement determines the device; for the rest, such as a pulse measured by a scale, only the model does. */
function kindOf({ isTyped, values, device }: MeasureGroup): string {
  if (isTyped) return sources.app;
  if (values.systolic !== undefined || values.diastolic !== undefined) return sources.cuff;
  if (values.temperature !== undefined || values.bodyTemperature !== undefined) return sources.thermometer;
  if (values.weight !== undefined || values.fat !== undefined) return sources.scale;
  return device ?? sources.watch;
}

function recordsOf(group: MeasureGroup, window: PullWindow, context: WithingsContext): CanonicalRecord[] {
  const { ms, values } = group;
  const zone = context.zoneFor(group.timeZone, ms);
  const day = zone.dayOf(ms);
  if (!isWithin(day, window)) return [];
  const sourceType = kindOf(group);
  const put = (resource: string, value: number | undefined, more: Partial<Sample> = {}) =>
    value === undefined
      ? []
      : context.samples(resource, sourceType, [
          { ts: ms, value, timezoneOffset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), ...more },
        ]);
  const moment = { end: ms };
  const temperature = (value: number | undefined, location: string) =>
    put('body_temperature', value, { ...moment, extra: { sensor_location: location } });
  const { systolic, diastolic } = values;
  // A pressure of which only one half was typed in has no place in the contract.
  if ((systolic === undefined) !== (diastolic === undefined)) leaveOut(window, 'no_value');
  return [
    ...bodyOf(group, sourceType, day, context),
    ...put('weight', values.weight),
    ...put('fat', values.fat),
    // Body, weight and fat are kept without a device.
    ...recordedBy(deviceOfRow(group.item, sourceType, context), measuredBy()),
  ];

  function measuredBy(): CanonicalRecord[] {
    return [
      ...put('lean_body_mass', values.leanMass, moment),
      ...(diastolic === undefined ? [] : put('blood_pressure', systolic, { value2: diastolic })),
      ...put('heartrate', values.pulse),
      ...put('blood_oxygen', values.spo2),
      ...put('vo2_max', values.vo2Max, moment),
      ...(values.bodyTemperature === undefined ? temperature(values.temperature, 'body') : temperature(values.bodyTemperature, 'body')),
      ...temperature(values.skinTemperature, 'wrist'),
    ];
  }
}

/** `getmeas`: what scales, cuffs, thermometers and watches measured, and what the user typed in. */
export function mapMeasures(body: unknown, window: PullWindow, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readGroups(body, quarantined, window).flatMap((group) => recordsOf(group, window, context));
  return { records, quarantined };
}

/** The height measured last, as the profile. */
export function mapProfile(body: unknown, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const heights = readGroups(body, quarantined).filter(({ values }) => values.height !== undefined);
  const [newest] = heights.toSorted((a, b) => b.ms - a.ms);
  const height = newest?.values.height;
  if (height === undefined) return { records: [], quarantined };
  const data = { height: Math.round(height * 100), birth_date: null, gender: null, sex: null };
  // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
  const parts = { resource: 'profile', sourceType: sources.app, externalId: 'profile', calendarDate: null, at: 0 };
  return { records: [context.summary({ ...parts, data, raw: newest?.item })], quarantined };
}
