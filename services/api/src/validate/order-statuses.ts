import type { ValidationError } from '@pulsewire/contract';
import { allStatuses, isOrderStatus, lowLevel, statusesOf } from '@pulsewire/labs';
import { fieldError } from './validate-request.ts';

const names = [...new Set(allStatuses.map(lowLevel))].join(', ');

/** A failing field for each status of a filter that no order can have: neither the last part of one nor a whole one. */
export function unknownStatuses(statuses: readonly string[] | undefined): readonly ValidationError[] {
  return (statuses ?? []).flatMap((status, index) =>
    statusesOf(status).length > 0 ? [] : [fieldError(['query', 'status', index], `Must be one of ${names}, or a whole status`, status)],
  );
}

/** A failing field for a target that is not a whole status. */
export function unknownTarget(status: string | undefined): readonly ValidationError[] {
  if (status === undefined || isOrderStatus(status)) return [];
  const whole = statusesOf(status);
  const remedy =
    whole.length > 0 ? `Must be a whole status: ${whole.join(', ')}` : 'Must be a whole status, such as received.testkit.ordered';
  return [fieldError(['query', 'final_status'], remedy, status)];
}
