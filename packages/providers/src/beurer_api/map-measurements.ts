import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { toMillimoles } from '../kit/values/glucose.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { typedIn } from './beurer.ts';

/** Kinds of measurements, with the device that takes them and the records that result. */
export const kinds = {
  blood_pressure: { device: 'cuff', resources: ['blood_pressure', 'heartrate'] },
  glucose: { device: 'fingerprick', resources: ['glucose'] },
  weight: { device: 'scale', resources: ['body', 'weight', 'fat'] },
  oxygen: { device: 'unknown', resources: ['blood_oxygen', 'heartrate'] },
} as const;

export type Kind = keyof typeof kinds;

interface Values {
  readonly body: Readonly<Record<string, number | null>> | null;
  readonly samples: readonly (readonly [resource: string, value: number | null, more?: Partial<Sample>])[];
}

const measured = (item: JsonNode, key: string): number | null => item.at(key).optional((node) => node.amount()) || null;

function valuesOf(kind: Kind, item: JsonNode): Values {
  const pulse = ['heartrate', measured(item, 'pulse')] as const;
  switch (kind) {
    case 'blood_pressure': {
      const [systolic, diastolic] = [measured(item, 'systolic'), measured(item, 'diastolic')];
      if (systolic === null || diastolic === null) throw item.at('systolic').fail('bad_number');
      return { body: null, samples: [['blood_pressure', systolic, { value2: diastolic }], pulse] };
    }
    case 'glucose': {
      const milligrams = measured(item, 'glucose_mg_dl');
      return { body: null, samples: [['glucose', milligrams === null ? null : toMillimoles(milligrams)]] };
    }
    case 'oxygen':
      return { body: null, samples: [['blood_oxygen', measured(item, 'spo2_percent')], pulse] };
    case 'weight': {
      const [weight, fat, bone] = [measured(item, 'weight'), measured(item, 'fat_percent'), measured(item, 'bone_kg')];
      const body = {
        weight,
        fat,
        water_percentage: measured(item, 'water_percent'),
        muscle_mass_percentage: measured(item, 'muscle_percent'),
        bone_mass_percentage: bone === null || weight === null ? null : roundTo((bone / weight) * 100, 1),
      };
      return {
        body,
        samples: [
          ['weight', weight],
          ['fat', fat],
        ],
      };
    }
  }
}

function removalsOf(kind: Kind, externalId: string, source: string, ms: number, context: RecordMaker): CanonicalRecord[] {
  return kinds[kind].resources.map((resource) =>
    resource === 'body' ? context.removal({ resource, sourceType: source, externalId }) : context.sampleRemoval(resource, source, [ms]),
  );
}

function readOne(kind: Kind, item: JsonNode, window: PullWindow, context: RecordMaker): CanonicalRecord[] {
  const externalId = item.at('id').id();
  const { ms, offset: timezoneOffset } = item.at('measured_at').time(parseInstant);
  const day = msToDay(ms + timezoneOffset * 1000);
  if (day < window.startDate || day > window.endDate) return [];
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
  const quarantined: Quarantined[] = [];
  const root = new JsonNode(response);
  const list = Array.isArray(response) ? root : root.at('items');
  const records = readEach(kinds[kind].resources[0], list, quarantined, (item) => readOne(kind, item, window, context)).flat();
  return { records, quarantined };
}
