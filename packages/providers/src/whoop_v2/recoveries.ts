import type { Quarantined } from '@pulsewire/contract';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { isScored, readRounded } from './whoop.ts';

/** WHOOP's measurements of a night. null means that the strap or the night provided no value. */
export interface Recovery {
  readonly cycleId: string;
  /** The night that it belongs to. */
  readonly sleepId: string;
  /** 0 to 100. */
  readonly score: number | null;
  readonly restingHr: number | null;
  /** RMSSD, ms: `milli` in the field's name is the unit. */
  readonly hrvMs: number | null;
  /** Percent; straps from 4.0 on. */
  readonly spo2: number | null;
  /** °C of the skin, not a deviation; straps from 4.0 on. */
  readonly skinCelsius: number | null;
}

export type Recoveries = ReadonlyMap<string, Recovery>;

function readRecovery(item: JsonNode): Recovery | undefined {
  const ids = { cycleId: item.at('cycle_id').id(), sleepId: item.at('sleep_id').text() };
  item.at('user_id').id();
  if (!isScored(item)) return undefined;
  const score = item.at('score');
  const amount = (key: string) => score.at(key).optional((node) => node.amount());
  return {
    ...ids,
    score: readRounded(score.at('recovery_score')),
    restingHr: readRounded(score.at('resting_heart_rate')),
    hrvMs: amount('hrv_rmssd_milli'),
    spo2: amount('spo2_percentage'),
    skinCelsius: amount('skin_temp_celsius'),
  };
}

/** A page of recoveries; those that are not scored yet are skipped. */
export function readRecoveries(body: unknown, quarantined: Quarantined[]): Recovery[] {
  return readEach('sleep', new JsonNode(body).at('records'), quarantined, readRecovery);
}

export function bySleep(recoveries: readonly Recovery[]): Recoveries {
  return new Map(recoveries.map((recovery) => [recovery.sleepId, recovery]));
}
