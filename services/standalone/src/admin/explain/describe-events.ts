import { isPipelineEvent } from '@pulsewire/contract';
import type { DeliveryTrace } from '@pulsewire/webhooks';
import type { DayHistory } from '@pulsewire/explain';

const reasons = {
  not_subscribed: 'not sent: the endpoint does not subscribe to this type',
  history_not_pushed: "not sent: the team's switch push_historical_data is off",
  disabled: 'not sent: the endpoint is disabled',
  created_later: 'not sent: the endpoint was created later',
  not_recorded: 'no attempt recorded: not sent yet, or longer ago than attempts are kept',
} as const;

function describeDelivery({ endpointId, attempts, waitsUntil, withheld }: DeliveryTrace): readonly string[] {
  const lines = attempts.map(
    (one) =>
      `  ${endpointId}  ${one.attempted_at}  attempt ${one.attempt} ${one.status}  ${one.response_status ?? one.error ?? 'no response'}  ${one.duration_ms} ms  ${one.message_id}`,
  );
  if (waitsUntil) lines.push(`  ${endpointId}  next attempt ${waitsUntil.toISOString()}`);
  if (withheld) lines.push(`  ${endpointId}  ${reasons[withheld]}`);
  if (lines.length === 0) lines.push(`  ${endpointId}  waits for an earlier message of its user`);
  return lines;
}

/** Each event of the day, with its delivery at every endpoint. */
export function describeEvents({ trace, deliveries }: DayHistory): readonly string[] {
  const lines = trace.events.flatMap(({ header, samples }) => {
    const { eventId, eventType, origin, offset, writtenAt } = header;
    const count = samples === null ? '' : `  ${samples} samples of the day`;
    const line = `${new Date(writtenAt).toISOString()}  ${eventType}  ${eventId}  sequence ${offset}, ${origin}${count}`;
    if (isPipelineEvent(eventType)) return [line, '  published to pipelines only'];
    const traced = deliveries.get(eventId);
    if (traced?.length === 0) return [line, '  the team has no endpoint'];
    return [line, ...(traced ?? []).flatMap(describeDelivery)];
  });
  return trace.isCut ? ['… only the newest events of the log were searched', ...lines] : lines;
}
