import type { PushSpec } from '../kit/definition/definition.ts';
import { allRides, summaryOf, workoutOf } from './workouts.ts';

const event = 'workout_summary';
const okay = 200;
const retries = [30 * 60_000, 4 * 3_600_000, 24 * 3_600_000, 72 * 3_600_000];

/**
 * The summary, mostly with its workout inside, and the token that was set in the portal; there is no signature, and nothing is sent for
 * deletions.
 */
export const wahooPushes: PushSpec = {
  messages({ kind, action, startMs }, { providerUserId }, parts) {
    if (kind !== 'workout' || action === 'deleted') return [];
    const account = parts.accounts.byProviderUserId(providerUserId) ?? parts.accounts.list()[0];
    if (!account) return [];
    const rides = allRides(account);
    const ride = rides.find(({ workout }) => workout?.startMs === startMs) ?? rides.find(({ workout }) => workout !== null);
    if (!ride) return [];
    // Some lack the workout.
    const workout = ride.id % 3 === 0 ? {} : { workout: workoutOf(ride) };
    const summary = { ...summaryOf(account, ride, parts.url()), ...workout };
    return parts.pushes.targets().map(({ callbackUrl, verificationCode }) => ({
      topic: callbackUrl,
      body: { event_type: event, webhook_token: verificationCode, user: { id: Number(providerUserId) }, workout_summary: summary },
    }));
  },
  retryDelaysMs: retries,
  carriesData: true,
  isAccepted: (status) => status === okay,
  concerns: (target, message) => message.topic === target.callbackUrl,
};
