import { and, eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { labTests } from '../model/catalogue-tables.ts';
import { notFound } from '../model/errors.ts';

/** Renames, archives or restores a test. Throws AppError `lab_test_not_found`. */
export async function updateLabTest(
  { orm }: Executor,
  test: { readonly teamId: string; readonly labTestId: string },
  changes: { readonly name?: string; readonly isActive?: boolean },
  now: Date,
): Promise<void> {
  const { name, isActive } = changes;
  const updated = await run(
    orm
      .update(labTests)
      .set({
        updatedAt: now,
        ...(name !== undefined && { name }),
        ...(isActive !== undefined && { status: isActive ? 'active' : 'inactive' }),
      })
      .where(and(eq(labTests.teamId, test.teamId), eq(labTests.labTestId, test.labTestId)))
      .returning({ labTestId: labTests.labTestId }),
  );
  if (updated.length === 0) throw notFound('lab_test_not_found', 'Lab test not found');
}
