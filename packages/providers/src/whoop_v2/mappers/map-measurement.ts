import { mapWhole } from '../../kit/records/map-records.ts';
import { profileRecord } from '../../kit/records/profile-record.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { weightRecords } from '../../kit/records/typed-weight.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import type { WhoopContext } from '../whoop.ts';

/**
 * `/v2/user/measurement/body`: the profile, and the weight on the day (UTC) since which it is known. The user typed it in,
 * so its source is the app.
 */
export function mapMeasurement(body: unknown, context: WhoopContext): MappedRecords {
  return mapWhole('profile', () => {
    const info = new JsonNode(body);
    const metres = info.at('height_meter').amount();
    const profile = profileRecord(context, {
      raw: info,
      sourceType: 'app',
      height: metres === 0 ? null : Math.round(metres * 100),
      birthDate: null,
      sex: null,
    });
    return [profile, ...weightRecords(info.at('weight_kilogram'), info, context)];
  });
}
