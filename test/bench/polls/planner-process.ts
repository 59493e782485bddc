// A scheduler that plans due polls, in a process of its own.
import { silentLogger, systemClock } from '@pulsewire/kernel';
import { openDatabase, type Database } from '@pulsewire/database';
import { openJobs, planDuePulls, type Jobs } from '@pulsewire/ingest';
import { findConnector } from '@pulsewire/providers';
import { serve } from '../remote.ts';

/** What a planner plans on. */
export interface PlannerOrder {
  readonly databaseUrl: string;
}

let opened: { readonly database: Database; readonly jobs: Jobs } | undefined;

serve({
  async open({ databaseUrl }: PlannerOrder): Promise<void> {
    const database = openDatabase({ url: databaseUrl, connectionsMax: 3 });
    opened = { database, jobs: await openJobs(database) };
  },
  /** Plans until nothing is due; returns how many it planned. */
  async plan(): Promise<number> {
    if (!opened) throw new Error('Not open');
    const context = { ...opened, clock: systemClock, logger: silentLogger, random: Math.random, connectorFor: findConnector };
    let planned = 0;
    for (;;) {
      const count = await planDuePulls(context);
      planned += count;
      if (count === 0) return planned;
    }
  },
});
