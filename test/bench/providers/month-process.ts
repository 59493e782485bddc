// Simulates the months of providers, one after the other, in a process of its own, so that two of them use two cores.
import { openDatabase } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { connectors } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { serve } from '../remote.ts';
import { simulateMonth, type MonthPlan, type MonthResult } from './simulate-month.ts';

/** One provider's month, and the server on which it gets a database. */
export interface MonthOrder {
  readonly slug: string;
  readonly plan: MonthPlan;
  readonly adminUrl: string;
  readonly template: string;
}

async function simulate({ slug, plan, adminUrl, template }: MonthOrder): Promise<MonthResult> {
  const connector = connectors.find((one) => one.slug === slug);
  const entry = simulators.find((one) => one.slug === slug);
  if (!connector || !entry) throw new Error(`${slug} has no simulator`);
  const name = `bench_month_${slug}`;
  const database = openDatabase({ url: await createDatabase(adminUrl, name, template), connectionsMax: 6 });
  try {
    return await simulateMonth(database, connector, entry, plan);
  } finally {
    await database.close();
    await dropDatabase(adminUrl, name);
  }
}

serve({ simulate });
