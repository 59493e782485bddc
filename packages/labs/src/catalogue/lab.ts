import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { labs } from '../model/catalogue-tables.ts';
import { notFound } from '../model/errors.ts';

export type LabRow = typeof labs.$inferSelect;

/** Every lab, by id. */
export async function listLabs({ orm }: Executor): Promise<readonly LabRow[]> {
  return run(orm.select().from(labs).orderBy(labs.labId));
}

/** Throws AppError `lab_not_found`. */
export async function getLab({ orm }: Executor, labId: number): Promise<LabRow> {
  const [lab] = await run(orm.select().from(labs).where(eq(labs.labId, labId)));
  if (!lab) throw notFound('lab_not_found', 'Lab not found');
  return lab;
}

/** The lab with this slug; null when there is none. */
export async function findLabBySlug({ orm }: Executor, slug: string): Promise<LabRow | null> {
  const [lab] = await run(orm.select().from(labs).where(eq(labs.slug, slug)));
  return lab ?? null;
}
