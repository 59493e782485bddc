import { errorCode } from '@pulsewire/kernel';
import type { IngestContext } from '../../context/context.ts';
import type { PushJob } from '../../jobs/queues.ts';
import { storeWithQuarantine } from '../../records/store-with-quarantine.ts';
import { applyPart } from './apply-part.ts';
import { isData, packPush } from './pack-push.ts';
import { parsedParts, type ParsedPart } from '../parse/parsed-parts.ts';
import { beginPush, type StoredPush } from '../inbox/begin-push.ts';
import { failPush, lockPush, settlePush } from '../inbox/settle-push.ts';

/** Unreadable items after which the rest of a push is skipped: it is forged, or not from this provider. */
const unreadableMax = 10_000;

interface PushSummary {
  readonly provider: string;
  readonly outcome: 'done' | 'unreadable';
  readonly errorCode: string | undefined;
  readonly notices: number;
  readonly unreadableNotices: number;
  readonly unknownUsers: number;
}

type PartEnd =
  /** The next part follows. */
  | { readonly kind: 'next' }
  /** A new job continues with the next part. */
  | { readonly kind: 'continues_in_job' }
  /** The push is no longer pending, or another worker has it. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'ended'; readonly summary: PushSummary };

function unreadableOf({ parsed }: ParsedPart): number {
  return 'errorCode' in parsed ? 0 : parsed.unreadable.length + (parsed.leftOut ?? 0);
}

interface Progress {
  /** Items of the push that are done. */
  readonly done: number;
  /** How many of those could not be read. */
  readonly unreadable: number;
}

async function settlePart(
  context: IngestContext,
  stored: StoredPush,
  { done, unreadable }: Progress,
  part: ParsedPart,
  isLate: boolean,
): Promise<PartEnd> {
  const { parsed, itemsEnd } = part;
  const { job, provider } = stored;
  const counted = { notices: 'errorCode' in parsed ? 0 : parsed.notices.length, unreadable: unreadableOf(part) };
  const isGivenUp = !part.isLast && unreadable + counted.unreadable > unreadableMax;
  const isLast = part.isLast || isGivenUp;
  const data = 'errorCode' in parsed ? [] : parsed.notices.filter(isData);
  const packed = data.length > 0 ? await packPush(context, stored, data) : [];
  return storeWithQuarantine(context, { provider, pushId: job.pushId }, async (tx, emit, isolatesRefused): Promise<PartEnd> => {
    if (!(await lockPush(tx, job, done))) return { kind: 'lost' };
    const state = isLast ? ('errorCode' in parsed || isGivenUp ? 'unreadable' : 'done') : 'received';
    const unknownUsers =
      'errorCode' in parsed ? 0 : await applyPart(context, tx, emit, { ...stored, packed, isolatesRefused }, parsed.notices);
    const failure = 'errorCode' in parsed ? parsed.errorCode : isGivenUp ? 'too_many_unreadable' : null;
    const applied = { itemsDone: itemsEnd, notices: counted.notices, unreadableNotices: counted.unreadable, unknownUsers };
    const row = await settlePush(tx, job, { ...applied, state, errorCode: failure }, context.clock.now());
    if (!isLast) {
      if (isLate) await context.jobs.workPush(tx, job);
      return { kind: isLate ? 'continues_in_job' : 'next' };
    }
    const summary: PushSummary = {
      provider,
      outcome: state === 'unreadable' ? 'unreadable' : 'done',
      errorCode: row?.error_code ?? undefined,
      notices: row?.notices ?? 0,
      unreadableNotices: row?.unreadable_notices ?? 0,
      unknownUsers: row?.unknown_users ?? 0,
    };
    return { kind: 'ended', summary };
  });
}

async function settle(context: IngestContext, job: PushJob, signal: AbortSignal): Promise<PushSummary | null> {
  const { clock, database, settings } = context;
  const stored = await beginPush(database, job);
  if (!stored) return null;
  const startedMs = clock.monotonicMs();
  let progress: Progress = { done: stored.itemsDone, unreadable: stored.unreadable };
  for await (const part of parsedParts(context, stored)) {
    const isLate = signal.aborted || clock.monotonicMs() - startedMs >= settings.pushTimeMs;
    const end = await settlePart(context, stored, progress, part, isLate);
    if (end.kind === 'ended') return end.summary;
    if (end.kind !== 'next') return null;
    progress = { done: part.itemsEnd, unreadable: progress.unreadable + unreadableOf(part) };
  }
  return null;
}

/**
 * Applies a stored push: plans live windows for what it announces, stores its data, and ends connections whose consent it revokes. It uses
 * one transaction, or one for each part of a large push, all under the push's version; progress commits with the part, so that a worker
 * that takes over continues there. An unknown user is counted and is not a failure: the user has left, or belongs to another installation.
 * A repeated job finds the push done. A failure is counted and thrown, so that the job is retried.
 */
export async function applyPush(context: IngestContext, job: PushJob, signal: AbortSignal): Promise<void> {
  const summary = await settle(context, job, signal).catch(async (error: unknown) => {
    await failPush(context.database, job, errorCode(error));
    throw error;
  });
  if (!summary) return;
  context.logger[summary.errorCode === undefined ? 'info' : 'warn']({ pushId: job.pushId, ...summary }, 'push.applied');
  context.metrics.count('ingest_pushes_total', { provider: summary.provider, outcome: summary.outcome });
}
