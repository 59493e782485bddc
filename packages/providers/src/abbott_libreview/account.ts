import { JsonNode } from '../kit/values/json-node.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { isPatient } from './libreview.ts';
import { parseLibreTime } from './libre-time.ts';
import { onlyPatient } from './patients.ts';

/** The offset of the phone's clock from the sensor's, which is in UTC; null without a reading. */
function offsetOf(measurement: JsonNode): number | null {
  const [wall, factory] = ['Timestamp', 'FactoryTimestamp'].map((key) => {
    const text = measurement.at(key).value;
    return typeof text === 'string' ? parseLibreTime(text) : undefined;
  });
  if (wall === undefined || factory === undefined) return null;
  // Phone clocks are a little off; offsets are multiples of a quarter of an hour.
  return Math.round((wall - factory) / 900_000) * 900;
}

/** The followed patient, and the time zone that determines when their day begins. */
export async function readLibreviewAccount({ http, previous = {}, providerUserId = null }: AccountContext): Promise<AccountFacts> {
  // A patient's own account, without a zone.
  if (isPatient(previous)) return { providerUserId, account: { ...previous } };
  const { body } = await http.get('/llu/connections');
  // The one chosen when linking stays, also when the account no longer follows them: another person's data must not be mixed in.
  const known = previous['patient_id'];
  const patient = typeof known === 'string' ? known : onlyPatient(body);
  const followed =
    patient === null
      ? undefined
      : new JsonNode(body)
          .at('data')
          .items()
          .find((item) => item.at('patientId').value === patient);
  const offset = followed === undefined ? null : offsetOf(followed.at('glucoseMeasurement'));
  const zone = offset === null ? {} : { time_zone: offsetZoneName(offset) };
  return { providerUserId, account: { ...previous, ...zone, patient_id: patient } };
}
