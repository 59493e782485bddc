import { randomUUID } from 'node:crypto';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { labUnmatchedResults } from '../model/order-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import { lockOrder } from '../orders/change-status.ts';
import { nameHashes } from '../orders/sealed/name-hashes.ts';
import { readTeamKey } from '../orders/sealed/team-key.ts';
import { isReported } from '../results/store-results.ts';
import { applyReport, pathOfReport } from './apply-report.ts';
import { decide, orderOfSample, type Candidate, type Decision } from './decide.ts';
import { emitReview } from './emit-review.ts';
import { findCandidates } from './find-candidates.ts';
import { digestOf, type IncomingReport, type ReviewDetails } from './report.ts';

/** The outcome of a report. */
export type TakenReport =
  | { readonly kind: 'matched'; readonly orderId: string }
  /** The order already has these results or newer ones, or they are already in review. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'review'; readonly resultId: string; readonly code: Decision['code'] };

async function putInReview(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  teamId: string,
  incoming: IncomingReport,
  { code, candidates }: { readonly code: Decision['code']; readonly candidates: readonly Candidate[] },
): Promise<TakenReport> {
  const { cipher, clock } = context;
  const { labId, patient, isCorrection, report } = incoming;
  const [resultId, now] = [randomUUID(), clock.now()];
  const details: ReviewDetails = { patient, isCorrection, report, candidates, note: null };
  const name = [patient?.firstName, patient?.lastName].join(' ').trim();
  const hashes = name === '' ? [] : nameHashes(await readTeamKey(tx, context, teamId), name);
  const inserted = await run(
    tx.orm
      .insert(labUnmatchedResults)
      .values({
        resultId,
        teamId,
        labId,
        status: 'pending_customer_review',
        decisionCode: code,
        reportDigest: digestOf(incoming),
        candidateUserIds: [...new Set(candidates.map(({ userId }) => userId))],
        nameHashes: hashes,
        details: cipher.seal(JSON.stringify(details), labSealContext('lab_unmatched_results', resultId)),
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning(),
  );
  if (!inserted[0]) return { kind: 'repeated' };
  emitReview(emit, inserted[0], true);
  return { kind: 'review', resultId, code };
}

/**
 * Processes a lab's report. The order of its sample gets the results, with statuses and events; an uncertain match is kept for
 * review and announced by `labtest.match_review.created`. The same report may arrive repeatedly.
 */
export async function takeReport(context: LabsContext, team: LabTeam, incoming: IncomingReport): Promise<TakenReport> {
  return withEvents(context.database, async (tx, emit) => {
    const ofSample = orderOfSample(await findCandidates(tx, context, team.teamId, incoming), incoming.orderId);
    // Locked first, so that the decision uses the state that the report changes.
    const order = ofSample && (await lockOrder(tx, team.teamId, ofSample.orderId));
    const candidates = await findCandidates(tx, context, team.teamId, incoming);
    const { code, order: matched } = decide(candidates, incoming.isCorrection, incoming.orderId);
    const ownOrder = ofSample && { teamId: team.teamId, orderId: ofSample.orderId };
    if (ownOrder && (await isReported(tx, context, ownOrder, incoming.report))) return { kind: 'repeated' };
    const path = order && matched && pathOfReport(order, incoming.report);
    if (!order || !path) return putInReview(tx, emit, context, team.teamId, incoming, { code, candidates });
    await applyReport(tx, emit, context, team, order, incoming.report, path);
    return { kind: 'matched', orderId: order.orderId };
  });
}
