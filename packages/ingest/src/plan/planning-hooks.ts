import type { Connection } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { lastDayRead } from '../model/last-day-read.ts';
import { planConnection } from './plan-connection.ts';
import { dropSchedule } from '../connection-schedule/stop-schedule.ts';

export interface PlanningHooks {
  readonly onConnected: (tx: Tx, connection: Connection) => Promise<void>;
  readonly onDeregistered: (tx: Tx, connection: Connection) => Promise<void>;
  readonly lastDayRead: (tx: Tx, connectionId: string) => Promise<string | null>;
}

/** Creates, reads and deletes the schedule of a connection in the transaction that links or removes it. */
export function planningHooks(context: PlanContext): PlanningHooks {
  return {
    onConnected: (tx, { connectionId }) => planConnection(context, tx, connectionId),
    onDeregistered: (tx, { connectionId }) => dropSchedule(tx, connectionId),
    lastDayRead,
  };
}
