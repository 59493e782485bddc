import { activeDeprecations, renderDate, type Deprecation } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import type { LogEvent } from '@pulsewire/eventlog';
import { buildMessages, type Message } from '../bodies/body.ts';
import type { MessageContext } from './context.ts';

/** Builds a team's messages as the dispatcher would now. */
export interface TeamBodies {
  readonly pushesHistoricalData: boolean;
  /** Whether a message's type can differ from its event's. */
  readonly derives: boolean;
  /** The messages of an event; none when its stored bytes are damaged. */
  build(event: LogEvent): readonly Message[];
}

/** Reads the team's switches once per page of messages. */
export async function loadTeamBodies({ clock, findProvider }: MessageContext, { sql }: Executor, teamId: string): Promise<TeamBodies> {
  const [team] = await sql<{ push_historical_data: boolean; contract_date: string | null }[]>`
    SELECT push_historical_data, contract_date FROM teams WHERE team_id = ${teamId}`;
  const active: readonly Deprecation[] = activeDeprecations(team?.contract_date ?? renderDate(clock.now().getTime())).filter(
    ({ transform }) => transform !== null,
  );
  return {
    pushesHistoricalData: team?.push_historical_data ?? true,
    derives: active.length > 0,
    build(event) {
      try {
        return buildMessages(event, active, { findProvider });
      } catch {
        return [];
      }
    },
  };
}
