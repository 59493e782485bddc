import type { JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { isComplete } from './cycles.ts';

/** A cycle's recovery: measurements of the sleep that it was computed from. */
export interface Recovery {
  readonly score: number | null;
  readonly restingHr: number | null;
  readonly hrvMs: number | null;
  readonly spo2: number | null;
  readonly skinCelsius: number | null;
}

export const noRecovery: Recovery = { score: null, restingHr: null, hrvMs: null, spo2: null, skinCelsius: null };

/** HRV is in seconds: 0.099 is 99 ms. No human HRV reaches two seconds, so a larger value is in milliseconds. */
function readHrv(node: JsonNode): number | null {
  const value = node.optional((present) => present.amount() || null);
  return value === null ? null : roundTo(value < 2 ? value * 1000 : value, 3);
}

/** The sleep that a recovery was computed from; null where it names none. After a nap it is that of the nap. */
export function sleepOfRecovery(node: JsonNode): string | null {
  const { value } = node.at('activity_id');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export function readRecovery(node: JsonNode): Recovery {
  if (node.isMissing || !isComplete(node.at('state'))) return noRecovery;
  const amount = (key: string) => node.at(key).optional((value) => value.amount() || null);
  const [score, restingHr] = [amount('recovery_score'), amount('resting_heart_rate')];
  return {
    score: score === null ? null : Math.round(score),
    restingHr: restingHr === null ? null : Math.round(restingHr),
    hrvMs: readHrv(node.at('hrv_rmssd')),
    spo2: amount('spo2'),
    skinCelsius: amount('skin_temp_celsius'),
  };
}
