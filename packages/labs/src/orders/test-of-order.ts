import type { Tx } from '@pulsewire/database';
import { and, eq } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { insertLabTest } from '../catalogue/create-lab-test.ts';
import { getLab } from '../catalogue/lab.ts';
import { getLabTest, type LabTest } from '../catalogue/lab-tests.ts';
import { resolveOrderSet, type OrderSet, type ResolvedSet } from '../catalogue/order-set.ts';
import { labTests } from '../model/catalogue-tables.ts';
import { refused } from '../model/errors.ts';

function methodOf({ tests, hasAddOn }: ResolvedSet, asked: string | null): string {
  const [method, another] = new Set(tests.map((test) => test.method));
  if (asked !== null) return asked;
  if (hasAddOn) throw refused('collection_method_missing', 'An order with an add_on requires a collection_method');
  if (another !== undefined || method === undefined)
    throw refused('collection_method_missing', 'The lab tests are collected in different ways; specify a collection_method');
  return method;
}

/**
 * The lab test of an order: the ordered one, or an automatic one of all markers, which orders with the same markers share. Throws AppErrors
 * of kind `invalid`.
 */
export async function testOfOrder(
  tx: Tx,
  wanted: { readonly teamId: string; readonly set: OrderSet; readonly method: string | null; readonly labId: number | null },
  now: Date,
): Promise<LabTest> {
  const { teamId } = wanted;
  const set = await resolveOrderSet(tx, teamId, wanted.set, wanted.labId);
  if (set.tests.some(({ status }) => status !== 'active')) throw refused('lab_test_inactive', 'One of the lab tests is not active');
  const method = methodOf(set, wanted.method);
  const [only] = set.tests;
  if (only && set.tests.length === 1 && !set.hasAddOn && only.method === method) return only;
  const composition = `${method}:${set.markers
    .map(({ markerId }) => markerId)
    .toSorted((a, b) => a - b)
    .join(',')}`;
  const names = set.markers.map(({ name }) => name).join(', ');
  const inserted = await insertLabTest(
    tx,
    {
      teamId,
      lab: await getLab(tx, set.labId),
      markers: set.markers,
      name: names.slice(0, 200),
      description: names,
      method,
      fasting: set.tests.some(({ fasting }) => fasting),
      labAccountId: null,
      composition,
    },
    now,
  );
  if (inserted !== null) return getLabTest(tx, teamId, inserted);
  const same = and(eq(labTests.teamId, teamId), eq(labTests.composition, composition));
  const [known] = await run(tx.orm.select({ labTestId: labTests.labTestId }).from(labTests).where(same));
  return getLabTest(tx, teamId, known?.labTestId ?? '');
}
