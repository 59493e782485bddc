import { activeDeprecations, renderDate, withRemovedSourceFields } from '@pulsewire/contract';
import type { KeyContext } from '../context/context.ts';

type Source = Readonly<Record<string, unknown>>;

/** Whether the team's contract date is before this removal, so that it still gets what was removed. */
export function keepsRemoved({ team, clock }: KeyContext, deprecation: string): boolean {
  const date = team.contractDate ?? renderDate(clock.now().getTime());
  return activeDeprecations(date).some(({ id }) => id === deprecation);
}

/** Source contexts for the team: with `name`, `slug` and `logo` if its contract date is before their removal. */
export function sourceForTeam(context: KeyContext): (source: Source) => Source {
  if (!keepsRemoved(context, 'source_name_logo_slug')) return (source) => source;
  return (source) => withRemovedSourceFields(source, context.endpoints);
}
