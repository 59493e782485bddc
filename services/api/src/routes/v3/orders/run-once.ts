import { isAppError } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import {
  claimRequest,
  completeRequest,
  releaseRequest,
  renderOrder,
  whileClaimed,
  type LabsContext,
  type OrderView,
  type RequestClaim,
} from '@pulsewire/labs';
import type { KeyContext } from '../../../context/context.ts';
import { errorResponse } from '../../../http/responses/error-response.ts';
import type { RouteResponse } from '../../../route/route.ts';

const keptMs = 14 * 86_400_000;

interface Once {
  readonly endpoint: string;
  readonly headers: { readonly 'x-idempotency-key'?: string; readonly 'x-idempotency-error'?: string };
  readonly body: unknown;
}

/** Failures that a repeated request would get again. Other failures, and validation errors, are not stored. */
const isKept = (error: unknown, { headers }: Once) =>
  isAppError(error) &&
  error.code !== 'request_invalid' &&
  headers['x-idempotency-error'] === undefined &&
  errorResponse(error).status < 409;

async function settleFailure({ labs }: KeyContext, claim: RequestClaim, error: unknown, once: Once): Promise<void> {
  if (!isKept(error, once)) return releaseRequest(labs.database, claim);
  const { status, body } = errorResponse(error);
  await completeRequest(labs.database, labs, claim, { status, body: JSON.stringify(body), userId: null });
}

/**
 * Runs a request at most once per idempotency key of the team; repeats get the first response. `work` completes the claim in its own
 * transaction. Without a key it runs every time.
 */
export async function runOnce(
  context: KeyContext,
  once: Once,
  work: (claim: RequestClaim | null) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const key = once.headers['x-idempotency-key'];
  if (key === undefined) return work(null);
  const { teamId } = context.team;
  const claim = await claimRequest(context.labs, { teamId, endpoint: once.endpoint, key }, once.body, keptMs);
  if ('status' in claim) return { status: claim.status, body: JSON.parse(claim.body) as unknown };
  try {
    return await whileClaimed(context.labs, claim, () => work(claim));
  } catch (error) {
    await settleFailure(context, claim, error, once);
    throw error;
  }
}

/** The response to a request that created an order, stored for repeats in the transaction of the order. */
export async function completeWith(
  tx: Tx,
  labs: LabsContext,
  claim: RequestClaim | null,
  order: OrderView,
  message: string,
): Promise<RouteResponse> {
  const response = { order: renderOrder(order), status: 'success', message };
  const { userId, orderId } = order.order;
  if (claim !== null) await completeRequest(tx, labs, claim, { status: 200, body: JSON.stringify(response), userId });
  return { status: 200, body: response, concerns: { userId, target: { order_id: orderId } } };
}
