import { run } from '@pulsewire/database';
import { renderDateTime, type UpdatedWebhookBody, type UpdateWebhookBody, type WebhookRecovery } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { disabledEvent, enabledEvent } from '../model/lifecycle-events.ts';
import { countMatching } from '../replays/count-matching.ts';
import { readLogTime } from '../replays/replay-request.ts';
import { newSigningColumns } from '../signing/signing-columns.ts';
import { webhookEndpoints } from '../model/tables.ts';
import { allChecks, checkFilterTypes, checkSchedule, checkSkipSuperseded, checkUrl } from '../model/checks.ts';
import type { EndpointContext } from '../model/context.ts';
import { byTeamAndId, findEndpointRow, toWebhookBody, type EndpointRow } from '../model/endpoint-row.ts';

/** Counting stops here, because it delays the response to an update. */
const offerLookMax = 10_000;

/**
 * Updates the fields in the body. Null clears description, rate limit, filter and schedule, and leaves the other fields, which cannot be
 * null, unchanged. Enabling a disabled endpoint also returns how many messages it missed. Throws AppErrors `endpoint_not_found`, and of
 * kind `invalid` those of `createEndpoint` without the secret.
 */
export async function updateEndpoint(
  context: EndpointContext,
  teamId: string,
  endpointId: string,
  body: UpdateWebhookBody,
): Promise<UpdatedWebhookBody> {
  const now = context.clock.now();
  const { row, missedSince } = await withEvents(context.database, async (tx, emit) => {
    const before = await findEndpointRow(tx, teamId, endpointId, 'for_update');
    const isDisabled = body.disabled ?? before.isDisabled;
    const isEnabled = before.isDisabled && !isDisabled;
    const values = {
      ...checkedFields(context, before, body),
      description: body.description,
      rateLimit: body.rate_limit,
      ...(isDisabled !== before.isDisabled && switchedFields(isDisabled, now)),
      updatedAt: now.toISOString(),
    };
    const [changed] = await run(tx.orm.update(webhookEndpoints).set(values).where(byTeamAndId(teamId, endpointId)).returning());
    const since = isEnabled ? missedFrom(before) : null;
    if (isEnabled) emit(enabledEvent({ teamId, endpointId }, now.getTime(), since?.getTime() ?? null));
    if (isDisabled && !before.isDisabled) emit(disabledEvent({ teamId, endpointId }, 'requested'));
    return { row: changed as NonNullable<typeof changed>, missedSince: since };
  });
  return { ...toWebhookBody(row), recovery: missedSince === null ? null : await offerRecovery(context, row, missedSince) };
}

function checkedFields(context: EndpointContext, before: EndpointRow, body: UpdateWebhookBody) {
  const { url, filter_types: types, schedule } = body;
  const ordering = body.ordering ?? before.ordering;
  const signature = body.signature ?? before.signature;
  return {
    ...allChecks({
      url: () => (url === undefined || url === null ? before.url : checkUrl(url, context)),
      filterTypes: () => (types === undefined ? before.filterTypes : checkFilterTypes(types)),
      skipSuperseded: () => checkSkipSuperseded(ordering, body.skip_superseded ?? before.skipSuperseded),
      retrySchedule: () => (schedule === undefined ? before.retrySchedule : checkSchedule(schedule, context)),
    }),
    ordering,
    signature,
    ...(signature !== 'v1' && before.signingKey === null && newSigningColumns(context.cipher, before.endpointId)),
    sendsSvixHeaders: body.svix_headers ?? before.sendsSvixHeaders,
  };
}

function switchedFields(isDisabled: boolean, now: Date) {
  return isDisabled
    ? { isDisabled, disabledReason: 'requested', disabledAt: now.toISOString() }
    : { isDisabled, disabledReason: null, disabledAt: null, failingSince: null, failingWarnedAt: null };
}

/** The start of the period in which messages may be missing, including failures before the endpoint was disabled. */
function missedFrom({ failingSince, disabledAt, updatedAt }: EndpointRow): Date {
  return new Date(Math.min(...[failingSince, disabledAt ?? updatedAt].filter((text) => text !== null).map((text) => Date.parse(text))));
}

async function offerRecovery({ database }: EndpointContext, row: EndpointRow, since: Date): Promise<WebhookRecovery | null> {
  const until = await readLogTime(database);
  const request = { since, until, userId: null, eventTypes: null, selection: 'undelivered' } as const;
  if (until < since) return null;
  const { messages, exact } = await countMatching(database, row, request, offerLookMax);
  return messages === 0 ? null : { since: renderDateTime(since.getTime()), selection: 'undelivered', messages, exact };
}
