import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { weightRecords } from '../../kit/records/typed-weight.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import type { WhoopContext } from '../whoop.ts';

/**
 * `/v2/user/measurement/body`: the profile, and the weight on the day (UTC) since which it is known. The user typed it in,
 * so its source is the app.
 */
export function mapMeasurement(body: unknown, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readWhole('profile', quarantined, (): CanonicalRecord[] => {
    const info = new JsonNode(body);
    const metres = info.at('height_meter').amount();
    const profile = context.summary({
      raw: info,
      resource: 'profile',
      sourceType: 'app',
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      data: { height: metres === 0 ? null : Math.round(metres * 100), birth_date: null, gender: null, sex: null },
    });
    return [profile, ...weightRecords(info.at('weight_kilogram'), info, context)];
  });
  return { records: records ?? [], quarantined };
}
