import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { offsetBetween, readIntervalSamples } from '../interval-samples.ts';
import { ringSamples, type OuraContext } from '../oura.ts';

/** Session types that count as mindful; naps and rest do not. */
const mindful = new Set(['breathing', 'meditation', 'relaxation', 'body_status']);

interface Session {
  readonly mindful: readonly Sample[];
  readonly hrv: readonly Sample[];
}

function readSession(item: JsonNode, window: PullWindow | null, quarantined: Quarantined[]): Session | undefined {
  item.at('id').id();
  const type = item.at('type').text();
  const start = item.at('start_datetime').time(parseInstant);
  const end = item.at('end_datetime').time(parseInstant);
  if (end.ms < start.ms) throw item.at('end_datetime').fail('bad_time');
  if (!isWithin(item.at('day').day(), window)) return undefined;
  const minutes = roundTo((end.ms - start.ms) / 60_000, 2);
  return {
    mindful: mindful.has(type) ? [{ ts: start.ms, end: end.ms, value: minutes, timezoneOffset: start.offset }] : [],
    hrv: readIntervalSamples('hrv', item.at('heart_rate_variability'), offsetBetween(start, end), quarantined),
  };
}

/** `session`: mindful minutes and RMSSD. Its heart rate is also in the heart rate collection and is mapped only from there. */
export function mapSessions(body: unknown, window: PullWindow | null, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const sessions = readEach('mindfulness_minutes', new JsonNode(body).at('data'), quarantined, (item) =>
    readSession(item, window, quarantined),
  );
  return {
    records: [
      ...ringSamples(
        context,
        'mindfulness_minutes',
        sessions.flatMap((session) => session.mindful),
      ),
      ...ringSamples(
        context,
        'hrv',
        sessions.flatMap((session) => session.hrv),
      ),
    ],
    quarantined,
  };
}
