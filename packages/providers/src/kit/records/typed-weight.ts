import type { CanonicalRecord } from '@pulsewire/contract';
import { utcMidnight } from '../time/days.ts';
import type { JsonNode } from '../values/json-node.ts';
import type { RecordMaker } from './record-maker.ts';

type Facts = Readonly<Record<string, unknown>>;

/**
 * For providers that report a manually entered weight without its time: the weight (kg) stored in the account facts, with the UTC
 * day on which it was first seen.
 */
export function noteWeight(weight: unknown, previous: Facts, now: Date | undefined): Facts {
  if (typeof weight !== 'number') return {};
  const isSame = weight === previous['weight_kg'] && typeof previous['weight_day'] === 'string';
  return { weight_kg: weight, weight_day: isSame ? previous['weight_day'] : (now?.toISOString().slice(0, 10) ?? null) };
}

/**
 * The weight (kg) as a measurement of that day. None until the account facts contain it: the next account refresh adds it once,
 * with its day. `raw`: the part of the response that contains it.
 */
export function weightRecords(node: JsonNode, raw: JsonNode, context: RecordMaker): CanonicalRecord[] {
  const { weight_kg: known, weight_day: since } = context.user.account;
  const weight = node.optional((kilograms) => kilograms.amount());
  if (weight === null || weight === 0 || weight !== known || typeof since !== 'string') return [];
  const at = utcMidnight(since);
  const ids = { sourceType: 'app', externalId: since, calendarDate: since };
  return [
    context.summary({ ...ids, resource: 'body', at, data: { weight }, raw }),
    ...context.samples('weight', 'app', [{ ts: at, value: weight, timezoneOffset: null }]),
  ];
}
