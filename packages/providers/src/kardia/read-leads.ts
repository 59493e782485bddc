import type { Quarantined, Sample } from '@pulsewire/contract';
import { readEachOf, readWhole, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';

const voltagesMax = 200_000;
const resource = 'electrocardiogram_voltage';

/** Names of leads in recordings, older ones included, and as `type` of our samples. */
const leads = {
  leadI: 'lead_1',
  lead_I: 'lead_1',
  leadII: 'lead_2',
  leadIII: 'lead_3',
  AVR: 'avr',
  AVL: 'avl',
  AVF: 'avf',
} as const;

/** The `type` of voltages. */
export const leadTypes: readonly string[] = [...new Set(Object.values(leads))];

export interface Moment {
  readonly ms: number;
  readonly offset: number;
}

/** Samples of the leads in mV. A signal whose resolution or rate is not stated has no unit or no time: it is set aside. */
export function readLeads(data: JsonNode, { ms, offset }: Moment, quarantined: Quarantined[]): ReadonlyMap<string, readonly Sample[]> {
  const hertz = data.at('frequency').optional((node) => node.amount()) ?? 0;
  const nanovolts = data.at('amplitudeResolution').optional((node) => node.amount()) ?? 0;
  if (hertz === 0 || nanovolts === 0) {
    const missing = data.at(hertz === 0 ? 'frequency' : 'amplitudeResolution');
    const hasSignal = countSamples(data) > 0;
    if (hasSignal) quarantined.push({ resource, reason: 'missing_field', pointer: missing.pointer });
    return new Map();
  }
  const found = Object.entries(leads).flatMap(([key, name]): [string, Sample[]][] => {
    const samples = data.at('samples').at(key);
    if (samples.isMissing) return [];
    const raw = readWhole(resource, quarantined, () => samples.items()) ?? [];
    if (raw.length > voltagesMax) throw samples.fail('unknown_shape');
    const read = readEachOf(resource, samples, raw, quarantined, (node, index) => ({
      ts: ms + Math.round((index * 1000) / hertz),
      value: roundTo((node.number() * nanovolts) / 1_000_000, 5),
      timezoneOffset: offset,
    }));
    return [[name, read]];
  });
  return new Map(found);
}

/** How many samples one lead has, in the older layout too. */
export function countSamples(data: JsonNode): number {
  const samples = data.at('samples');
  const lead = samples.at('leadI').isMissing ? samples.at('lead_I') : samples.at('leadI');
  return Array.isArray(lead.value) ? lead.value.length : 0;
}
