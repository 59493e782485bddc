import { activeDeprecations, renderDate, withRemovedSourceFields } from '@pulsewire/contract';
import type { KeyContext } from '../context/context.ts';

type Source = Readonly<Record<string, unknown>>;

/** Whether the team still gets what this deprecation removed: its contract date lies before the removal. */
export function keepsRemoved({ team, clock }: KeyContext, deprecation: string): boolean {
  const date = team.contractDate ?? renderDate(clock.now().getTime());
  return activeDeprecations(date).some(({ id }) => id === deprecation);
}

/** Source contexts as the team gets them: with `name`, `slug` and `logo` where its contract date lies before their removal. */
export function sourceForTeam(context: KeyContext): (source: Source) => Source {
  if (!keepsRemoved(context, 'source_name_logo_slug')) return (source) => source;
  return (source) => withRemovedSourceFields(source, context.endpoints);
}
