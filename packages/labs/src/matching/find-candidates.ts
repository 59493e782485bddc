import { and, arrayContains, desc, eq, isNotNull, notLike, or, type SQL } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { withResults, type MarkerWithResults } from '../catalogue/markers.ts';
import type { LabsContext } from '../context/context.ts';
import { labOrders } from '../model/order-tables.ts';
import { birthDateHash, searchHashes } from '../orders/sealed/name-hashes.ts';
import { readOrders, type OrderView } from '../orders/read/read-orders.ts';
import { readTeamKey } from '../orders/sealed/team-key.ts';
import type { ReportedPatient } from '../partners/partner.ts';
import type { Candidate } from './decide.ts';
import type { IncomingReport } from './report.ts';

const candidatesMax = 20;

const word = (value: unknown) => (typeof value === 'string' ? value.normalize('NFKC').trim().toLowerCase() : '');

type NamedPatient = { readonly [Name in 'firstName' | 'lastName' | 'birthDate']: string };

/** Whether a patient is named by first name, last name and birth date; others may be anybody. */
export function isNamed(patient: ReportedPatient | null): patient is ReportedPatient & NamedPatient {
  return patient !== null && word(patient.firstName) !== '' && word(patient.lastName) !== '' && patient.birthDate !== null;
}

/** Whether an order is of the patient that a report names; a patient who is not named completely is nobody's. */
export function isPatient({ secrets }: OrderView, patient: ReportedPatient | null): boolean {
  const { patient: ordered } = secrets;
  return (
    isNamed(patient) &&
    word(ordered?.['first_name']) === word(patient.firstName) &&
    word(ordered?.['last_name']) === word(patient.lastName) &&
    ordered?.['dob'] === patient.birthDate
  );
}

/**
 * A report without a patient concerns the order that the lab names, or, from an operator, who names the team and no order, the one of its
 * sample.
 */
const isMeant = (view: OrderView, { patient, orderId }: IncomingReport) =>
  patient === null ? orderId === undefined || orderId === view.order.orderId : isPatient(view, patient);

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
  const key = isNamed(patient) ? await readTeamKey(tx, context, teamId) : null;
  const hashes =
    key && isNamed(patient)
      ? [...searchHashes(key, `${patient.firstName} ${patient.lastName}`), birthDateHash(key, patient.birthDate)]
      : [];
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
      isSamePatient: isMeant(view, incoming),
      overlap: overlapOf(
        codes,
        view.test.markers.flatMap(({ markerId }) => markers.get(markerId) ?? []),
      ),
    }))
    .filter(({ isSameSample, isSamePatient }) => isSameSample || isSamePatient);
}
