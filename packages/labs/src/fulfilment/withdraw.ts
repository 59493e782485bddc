import type { LabsContext } from '../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../jobs/job.ts';
import { nothingToDo } from './subject.ts';

/** A call still in progress may arrive after our lookup, so the lookup is repeated this often, at growing intervals. */
const lookupsMax = 8;
const firstLookupMs = 15_000;

type Call = { readonly orderId: string; readonly idempotencyKey: string; readonly signal: AbortSignal };
interface Cancelling {
  find(call: Call): Promise<unknown>;
  cancel(call: Call): Promise<void>;
}

/** The idempotency key is the order's id, which outlives the order. */
async function withdraw(job: PartnerJob, signal: AbortSignal, partner: Cancelling): Promise<JobOutcome> {
  const call = { orderId: job.idempotencyKey, idempotencyKey: job.jobId, signal };
  if ((await partner.find(call)) === null)
    return job.attempts < lookupsMax ? { kind: 'later', delayMs: firstLookupMs * 2 ** job.attempts } : nothingToDo;
  await partner.cancel(call);
  return nothingToDo;
}

async function teamOf({ owners, database }: LabsContext, { teamId }: PartnerJob) {
  return (await owners.findTeam(database, teamId)) ?? { isSandbox: false };
}

const retries = { timeoutMs: 15_000, attemptsMax: 200, backoffMs: 2000, backoffMaxMs: 3_600_000 };

/** Cancels at the lab an order that is cancelled here. If the lab refuses, it has tested the sample already. */
export const withdrawOrder: JobKind = {
  kind: 'withdraw_order',
  ...retries,
  async attempt(context, job, signal) {
    const partner = context.partners.get('lab', job.partner, await teamOf(context, job));
    return withdraw(job, signal, { find: (call) => partner.findOrder(call), cancel: (call) => partner.cancelOrder(call) });
  },
  async giveUp() {},
};

/** Stops the kit of an order that is cancelled here. If the company refuses, the kit is on its way. */
export const withdrawKit: JobKind = {
  kind: 'withdraw_kit',
  ...retries,
  async attempt(context, job, signal) {
    const partner = context.partners.get('kits', job.partner, await teamOf(context, job));
    return withdraw(job, signal, { find: (call) => partner.findShipment(call), cancel: (call) => partner.cancel(call) });
  },
  async giveUp() {},
};
