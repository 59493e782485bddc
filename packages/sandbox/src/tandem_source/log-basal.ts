import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { between } from '../model/seeded.ts';
import type { LogEntry } from './log-entry.ts';

const stepMs = 1_800_000;
const none = 65_535;

/** What drives the pump in a half hour of the day: mostly the algorithm, also a suspension, the profile and a temporary rate. */
function propertiesAt(key: string, place: number): Readonly<Record<string, unknown>> {
  const common = { reservedA2: 0, spareA3: 0, profileBasalRate: 800 };
  if (place === 20) return { ...common, commandedRateSource: 0, commandedRate: 0, algorithmRate: none, tempRate: none };
  if (place === 26) return { ...common, commandedRateSource: 1, commandedRate: 800, algorithmRate: none, tempRate: none };
  if (place === 30) return { ...common, commandedRateSource: 2, commandedRate: 500, algorithmRate: none, tempRate: 500 };
  const rate = between(`${key}|${place}`, 300, 1400);
  // Some events lack fields.
  if (place === 33) return { commandedRateSource: 3, commandedRate: rate };
  return { ...common, commandedRateSource: 3, commandedRate: rate, algorithmRate: rate, tempRate: none };
}

/** A change of the basal rate every half hour. */
export function basalsOf({ name }: Person, day: PersonDay): LogEntry[] {
  const count = Math.floor((day.endMs - day.startMs) / stepMs);
  const key = `${name} ${day.date} basal`;
  return Array.from({ length: count }, (_, place) => ({
    ms: day.startMs + place * stepMs + 60_000,
    code: 279,
    properties: propertiesAt(key, place),
  }));
}
