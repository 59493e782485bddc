import type { Sample } from '@pulsewire/contract';
import { toMillimoles } from '../kit/values/glucose.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';

/** Kinds of measurements with the device that takes them and the records that result. */
export const kinds = {
  blood_pressure: { device: 'cuff', resources: ['blood_pressure', 'heartrate'] },
  glucose: { device: 'fingerprick', resources: ['glucose'] },
  weight: { device: 'scale', resources: ['body', 'weight', 'fat'] },
  oxygen: { device: 'unknown', resources: ['blood_oxygen', 'heartrate'] },
} as const;

export type Kind = keyof typeof kinds;

export interface Values {
  readonly body: Readonly<Record<string, number | null>> | null;
  readonly samples: readonly (readonly [resource: string, value: number | null, more?: Partial<Sample>])[];
}

const measured = (item: JsonNode, key: string): number | null => item.at(key).optional((node) => node.amount()) || null;

/** Reads the values of one measurement; a value of zero was not measured. */
export function valuesOf(kind: Kind, item: JsonNode): Values {
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
