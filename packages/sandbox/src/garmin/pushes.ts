import { hash32 } from '../model/seeded.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { PushSpec, SimulatorParts } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import type { PushMessage } from '../kit/push/sender.ts';
import { kinds, type Kind } from './kinds.ts';
import { dailyOf, seconds, sleepOf, type Summary } from './summaries.ts';

/** The data that a callback URL refers to. */
export interface Callback {
  readonly providerUserId: string;
  readonly key: string;
  readonly first: string;
  readonly last: string;
}

export const callbackPath = '/wellness-api/rest/';
const stranger = 'nobody-here';

/** The body of a ping: the URL of the summaries of these days, readable with the user's token. */
function pingOf(parts: SimulatorParts, { key }: Kind, account: { readonly providerUserId: string }, first: string, last: string): Summary {
  const { providerUserId } = account;
  const callback: Callback = { providerUserId, key, first, last };
  const token = `cb${hash32(JSON.stringify(callback)).toString(16)}`;
  parts.memory.set(token, callback);
  const uploaded = seconds(parts.clock.wallMs());
  const query = new URLSearchParams({
    uploadStartTimeInSeconds: String(uploaded - 60),
    uploadEndTimeInSeconds: String(uploaded),
    token,
  });
  return {
    userId: providerUserId,
    uploadStartTimeInSeconds: uploaded - 60,
    uploadEndTimeInSeconds: uploaded,
    callbackURL: `${parts.url()}${callbackPath}${key}?${query.toString()}`,
  };
}

/** Summaries of others in the same body: other users of the application, and an unknown user. */
function othersIn(parts: SimulatorParts, kind: Kind, clientId: string, providerUserId: string, date: string): Summary[] {
  const linked = parts.accounts
    .list()
    .filter((account) => account.providerUserId !== providerUserId)
    .filter((account) => parts.grants.of(account.providerUserId).some((grant) => grant.clientId === clientId));
  const found = linked.flatMap((account) => {
    const day = account.person.day(date);
    return day && !kind.isPinged ? kind.of(account, day).slice(0, 2) : [];
  });
  const sample = found[0];
  return sample ? [...found, { ...sample, userId: stranger }] : [];
}

/** A message for each application: a header names the application, and the body also has an undocumented key. */
export function messagesFor(
  parts: SimulatorParts,
  kind: Kind,
  account: { readonly providerUserId: string },
  own: readonly Summary[],
  dates: readonly [first: string, last: string],
): PushMessage[] {
  const [first, last] = dates;
  return parts.pushes.targets().map(({ clientId }) => {
    const items = kind.isPinged ? [pingOf(parts, kind, account, first, last)] : own;
    const others = kind.key === 'dailies' || kind.key === 'sleeps' ? othersIn(parts, kind, clientId, account.providerUserId, first) : [];
    return {
      topic: clientId,
      headers: { 'garmin-client-id': clientId },
      body: { [kind.key]: [...others, ...items], [`${kind.key}Beta`]: [{ userId: account.providerUserId }] },
    };
  });
}

/** A workout that was changed afterwards was edited manually, and has a separate key. */
function asEdited(kind: Kind, { action }: Change): Kind {
  return kind.key === 'activities' && action === 'updated' ? { ...kind, key: 'manuallyUpdatedActivities' } : kind;
}

/**
 * A growing day is sent again, and an earlier state of it arrives late; a night is sent before it is final, and that arrives late
 * too.
 */
function versionsOf(kind: Kind, change: Change, account: SimAccount): readonly (readonly Summary[])[] {
  const day = account.person.day(change.date);
  if (!day) return [];
  const now = kind.of(account, day);
  if (kind.key === 'dailies') {
    const knownMs = Math.min(day.endMs, account.person.syncedMs());
    const earlier = [dailyOf(account, day, day.startMs + Math.floor((knownMs - day.startMs) / 7_200_000) * 3_600_000)];
    return [earlier, now, earlier];
  }
  if (kind.key === 'sleeps') {
    const tentative = day.sleeps.map((sleep) => sleepOf(account, day, sleep, 'AUTO_TENTATIVE'));
    return [tentative, now, tentative];
  }
  return [now];
}

function unknownUsersSummary(kind: Kind, providerUserId: string): Summary {
  return { userId: providerUserId, summaryId: 'x-stranger', calendarDate: '2026-01-01', startTimeInSeconds: 1, durationInSeconds: 900 };
}

const hook = (parts: SimulatorParts, body: object): PushMessage[] =>
  parts.pushes.targets().map(({ clientId }) => ({ topic: clientId, headers: { 'garmin-client-id': clientId }, body }));

/** Data by kind of summary, unsigned; one kind is pinged. */
export const garminPushes: PushSpec = {
  carriesData: true,
  messages(change, { providerUserId }, parts) {
    if (change.action === 'deleted') return [];
    const account = parts.accounts.byProviderUserId(providerUserId);
    const scopes = new Set(parts.grants.of(providerUserId).flatMap((grant) => grant.scopes));
    const changed = kinds.filter((kind) => kind.change === change.kind).map((kind) => asEdited(kind, change));
    const dates = [change.date, change.date] as const;
    if (!account)
      return changed.flatMap((kind) => messagesFor(parts, kind, { providerUserId }, [unknownUsersSummary(kind, providerUserId)], dates));
    return changed
      .filter(({ scope }) => scopes.has(scope))
      .flatMap((kind) => versionsOf(kind, change, account).map((own) => ({ kind, own })))
      .filter(({ own }) => own.length > 0)
      .flatMap(({ kind, own }) => messagesFor(parts, kind, account, own, dates));
  },
  concerns: ({ clientId }, { topic }) => clientId === topic,
  revocation: ({ providerUserId }, parts) => hook(parts, { deregistrations: [{ userId: providerUserId }] }),
  permissions({ providerUserId }, scopes, parts) {
    const permissions = [...scopes, 'WORKOUT_IMPORT', 'COURSE_IMPORT'];
    const changeTimeInSeconds = seconds(parts.clock.wallMs());
    const item = { userId: providerUserId, summaryId: `p-${changeTimeInSeconds}`, permissions, changeTimeInSeconds };
    return hook(parts, { userPermissionsChange: [item] });
  },
  isAccepted: (status) => status === 200,
};
