import { deprecations } from './table.ts';
import type { Deprecation, OutgoingEvent, TransformContext } from './types.ts';

export { deprecations };

/**
 * The deprecations that a team still gets after their removal, because its contract date (`YYYY-MM-DD`, today unless pinned) is before
 * the removal. Deprecations that are only announced are served to everyone and not listed.
 */
export function activeDeprecations(contractDate: string): readonly Deprecation[] {
  return deprecations.filter(({ removedOn }) => removedOn !== null && contractDate < removedOn);
}

/** The events that a team gets for one event: first the event itself, then those derived from it. */
export function applyDeprecations(
  event: OutgoingEvent,
  active: readonly Deprecation[],
  context: TransformContext,
): readonly OutgoingEvent[] {
  return active.reduce<readonly OutgoingEvent[]>(
    (events, { transform }) => {
      return transform === null ? events : events.flatMap((one) => transform(one, context));
    },
    [event],
  );
}
