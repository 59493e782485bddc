import { and, arrayContains, desc, eq, isNotNull, notLike, or, type SQL } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { withResults, type MarkerWithResults } from '../catalogue/markers.ts';
import type { LabsContext } from '../context/context.ts';
import { labOrders } from '../model/order-tables.ts';
import { birthDateHash, searchHashes } from '../orders/sealed/name-hashes.ts';
import { readOrders, type OrderView } from '../orders/read/read-orders.ts';
import { readTeamKey } from '../orders/sealed/team-key.ts';
import type { Candidate } from './decide.ts';
import type { IncomingReport, ReportPatient } from './report.ts';

const candidatesMax = 20;

const word = (value: unknown) => (typeof value === 'string' ? value.normalize('NFKC').trim().toLowerCase() : '');

/** Whether an order is of the patient that a report names, by name and birth date; true when it names none. */
export function isPatient({ secrets }: OrderView, patient: ReportPatient | null): boolean {
  if (patient === null) return true;
  const { patient: ordered } = secrets;
  return (
    word(ordered?.['first_name']) === word(patient.firstName) &&
    word(ordered?.['last_name']) === word(patient.lastName) &&
    ordered?.['dob'] === patient.birthDate
  );
}

function overlapOf(codes: ReadonlySet<string>, markers: readonly MarkerWithResults[]): Candidate['overlap'] {
  const expected = new Set(markers.flatMap(({ expectedResults }) => expectedResults.map(({ providerId }) => providerId)));
  const shared = [...codes].filter((code) => expected.has(code)).length;
  if (shared === 0) return 'none';
  return shared === codes.size && shared === expected.size ? 'exact' : 'partial';
}

/** Orders of the team that a report may belong to: the order of its sample, and orders of a patient with this name and birth date. */
export async function findCandidates(
  tx: Tx,
  context: LabsContext,
  teamId: string,
  incoming: IncomingReport,
): Promise<readonly Candidate[]> {
  const { patient, labId, report } = incoming;
  const ofTeam = and(eq(labOrders.teamId, teamId), isNotNull(labOrders.userId));
  const ids = async (where: SQL | undefined) =>
    run(
      tx.orm
        .select({ orderId: labOrders.orderId })
        .from(labOrders)
        .where(and(ofTeam, where))
        .orderBy(desc(labOrders.createdAt))
        .limit(candidatesMax),
    );
  const ofSample = await ids(and(eq(labOrders.labId, labId), eq(labOrders.sampleId, report.sampleId)));
  const key = patient && (await readTeamKey(tx, context, teamId));
  const hashes =
    patient && key ? [...searchHashes(key, `${patient.firstName} ${patient.lastName}`), birthDateHash(key, patient.birthDate)] : [];
  const ofPatient =
    hashes.length === 0
      ? []
      : await ids(
          and(arrayContains(labOrders.nameHashes, hashes), or(notLike(labOrders.status, 'cancelled.%'), isNotNull(labOrders.parentId))),
        );
  const orderIds = [...new Set([...ofSample, ...ofPatient].map(({ orderId }) => orderId))];
  const orders = await readOrders(tx, context, teamId, orderIds);
  const markers = new Map(
    (
      await withResults(tx, [...new Map(orders.flatMap(({ test }) => test.markers).map((marker) => [marker.markerId, marker])).values()])
    ).map((marker) => [marker.markerId, marker]),
  );
  const codes = new Set(report.results.map(({ providerId }) => providerId));
  return orders
    .map((view) => ({
      orderId: view.order.orderId,
      userId: view.order.userId,
      transactionId: view.order.transactionId,
      status: view.order.status,
      isSameLab: view.order.labId === labId,
      isSameSample: view.order.labId === labId && view.order.sampleId === report.sampleId,
      isSamePatient: isPatient(view, patient),
      overlap: overlapOf(
        codes,
        view.test.markers.flatMap(({ markerId }) => markers.get(markerId) ?? []),
      ),
    }))
    .filter(({ isSameSample, isSamePatient }) => isSameSample || isSamePatient);
}
