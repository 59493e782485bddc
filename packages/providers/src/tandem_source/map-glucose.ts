import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { toMillimoles } from '../kit/values/glucose.ts';
import { readEachOf, type JsonNode } from '../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import type { PlacedEvent } from './clock.ts';
import { eventCodes } from './events.ts';
import { meter, sensor } from './tandem.ts';

/** Sensor times count seconds of the pump's wall clock from this day. */
const sensorEpochMs = Date.UTC(2008, 0, 1);
const hasValue = 0;
const typedIn = 0;
const sensorCodes: ReadonlySet<number> = new Set(eventCodes.sensors);

interface Reading {
  readonly wallMs: number;
  readonly milligrams: number;
}

/** A reading that arrived late is logged minutes after it was taken: its own time is used. */
function readSensor({ properties }: PlacedEvent): Reading | undefined {
  if (properties.at('glucoseValueStatus').number() !== hasValue) return undefined;
  const milligrams = properties.at('currentGlucoseDisplayValue').amount();
  if (milligrams === 0) return undefined;
  return { wallMs: sensorEpochMs + properties.at('egvTimeStamp').amount() * 1000, milligrams };
}

/** An entry that repeats a value of the sensor is left out. */
function readMeter({ properties, wallMs }: PlacedEvent): Reading | undefined {
  const milligrams = properties.at('bg').amount();
  return properties.at('bgEntryType').number() === typedIn && milligrams > 0 ? { wallMs, milligrams } : undefined;
}

/** Sensor readings, and values that the user measured with a finger prick. */
export function mapGlucose(events: readonly PlacedEvent[], list: JsonNode, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samplesOf = (chosen: readonly PlacedEvent[], read: (event: PlacedEvent) => Reading | undefined): Sample[] =>
    readEachOf('glucose', list, chosen, quarantined, (event): Sample | undefined => {
      const reading = read(event);
      if (reading === undefined) {
        leaveOut(window, 'no_value');
        return undefined;
      }
      const { ms, offset } = event.instantOf(reading.wallMs);
      const day = context.zoneOn(msToDay(reading.wallMs)).dayOf(ms);
      if (!isWithin(day, window)) return undefined;
      return { ts: ms, value: toMillimoles(reading.milligrams), timezoneOffset: offset };
    });
  const sensors = events.filter(({ code }) => sensorCodes.has(code));
  const entries = events.filter(({ code }) => code === eventCodes.bgEntry);
  return {
    records: [
      ...context.samples('glucose', sensor, samplesOf(sensors, readSensor)),
      ...context.samples('glucose', meter, samplesOf(entries, readMeter)),
    ],
    quarantined,
  };
}
