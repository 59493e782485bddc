import type { Quarantined, SeenDevice } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../../kit/records/left-out.ts';
import { deviceFields, deviceOf, recordedByEach, textOrNull, type DeviceReading } from '../../kit/records/recorded-by.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { sensor, toMmol, type DexcomContext } from '../dexcom.ts';
import { readTime } from '../read-time.ts';

/** The transmitter, by its hashed id; null for the readings that name none. */
function transmitterOf(record: JsonNode, context: DexcomContext): SeenDevice | null {
  const generation = textOrNull(record.at('transmitterGeneration'));
  return deviceOf(context, {
    externalId: textOrNull(record.at('transmitterId')),
    sourceType: sensor,
    manufacturer: 'Dexcom',
    model: generation === 'unknown' ? null : (generation?.toUpperCase() ?? null),
    version: null,
    raw: deviceFields(record, ['transmitterId', 'transmitterGeneration', 'transmitterGenerationVariant']),
  });
}

/**
 * `egvs`: the sensor's readings, every five minutes, in mmol/L. Readings outside the sensor's range arrive as 39 and 401 mg/dL and are
 * stored as such; readings without a value are omitted.
 */
export function mapEgvs(body: unknown, window: PullWindow, context: DexcomContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('glucose', new JsonNode(body).at('records'), quarantined, (record): DeviceReading | undefined => {
    const { ms, offset, offsetFrom, day } = readTime(record, context);
    const given = record.at('value').optional((node) => node.amount());
    if (!isWithin(day, window)) return undefined;
    if (given === null) {
      leaveOut(window, 'no_value');
      return undefined;
    }
    const value = toMmol(
      given,
      record.at('unit').optional((node) => node.text()),
    );
    if (value === undefined) throw record.at('unit').fail('unknown_shape');
    return { device: transmitterOf(record, context), sample: { ts: ms, value, timezoneOffset: offset, offsetFrom } };
  });
  return { records: recordedByEach(samples, (ofDevice) => context.samples('glucose', sensor, ofDevice)), quarantined };
}
