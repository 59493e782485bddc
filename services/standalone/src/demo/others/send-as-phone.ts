import { hourMs } from '@pulsewire/kernel';
import type { ApiClient } from '../client/api-client.ts';
import type { DemoContext } from '../client/demo-context.ts';
import { findOrCreatePerson, type Person } from '../client/people.ts';
import { messageOf, type OtherSource } from './other-source.ts';

const days = 3;
const timeZone = 'Europe/London';
const phone = { slug: 'apple_health_kit', name: 'Apple HealthKit (a phone)' };
const entry = { slug: 'manual', name: 'Manual entry' };
const clientUserId = 'demo-phone';

const iso = (ms: number) => new Date(ms).toISOString();

function record(type: string, unit: string, value: number, startMs: number, endMs: number): object {
  const source = { appId: 'com.apple.health', deviceType: 'watch' };
  const id = `${type}-${startMs}`;
  return { id, type, unit, value, startDate: iso(startMs), endDate: iso(endMs), source, metadata: { HKTimeZone: timeZone } };
}

/** What a phone has measured in the last days: steps and a heart rate of every waking hour, and a weight in the morning. */
function recordsUntil(nowMs: number): readonly object[] {
  const lastHour = Math.floor(nowMs / hourMs);
  const hours = Array.from({ length: days * 24 }, (_, place) => lastHour - place).filter((hour) => hour % 24 >= 7);
  return hours.flatMap((hour) => {
    const startMs = (hour - 1) * hourMs;
    const steps = record('HKQuantityTypeIdentifierStepCount', 'count', 200 + ((hour * 37) % 900), startMs, startMs + hourMs);
    const heart = record('HKQuantityTypeIdentifierHeartRate', 'bpm', 62 + ((hour * 13) % 40), startMs, startMs);
    const weight = record('HKQuantityTypeIdentifierBodyMass', 'kg', 71.2, startMs, startMs);
    return hour % 24 === 7 ? [steps, heart, weight] : [steps, heart];
  });
}

async function syncPhone({ clock, apiKey }: DemoContext, api: ApiClient, { userId }: Person): Promise<void> {
  const syncTimestamp = clock.now().toISOString();
  const data = { records: recordsUntil(clock.now().getTime()), sleep: [], workouts: [] };
  await api.call('POST', `/api/v1/sdk/users/${userId}/sync`, {
    headers: { 'x-open-wearables-api-key': apiKey },
    body: { provider: 'apple', sdkVersion: '0.6.0', syncTimestamp, data },
  });
}

async function enterByHand({ clock }: DemoContext, api: ApiClient, { userId }: Person): Promise<void> {
  await api.call('POST', '/v2/link/provider/manual/manual', { body: { user_id: userId, provider_id: 'entries' } });
  const timestamp = iso(Math.floor(clock.now().getTime() / hourMs) * hourMs);
  const samples = { blood_pressure: [{ timestamp, systolic: 121, diastolic: 78 }], water: [{ timestamp, value: 250 }] };
  await api.call('POST', `/v2/user/${userId}/data/manual`, { body: { source: { type: 'app' }, samples } });
}

/** A user without a provider's account: a batch as a phone's SDK sends it, and an entry of the team's own app. Repeating both is harmless. */
export async function sendAsPhone(context: DemoContext, api: ApiClient): Promise<readonly OtherSource[]> {
  const send = async (source: typeof phone, how: string, work: (person: Person) => Promise<void>): Promise<OtherSource> => {
    let person: Person | null = null;
    try {
      person = await findOrCreatePerson(api, { name: 'Phone', clientUserId, timeZone, ingestionStart: null });
      await work(person);
      return { ...source, clientUserId, how, person, failure: null };
    } catch (error) {
      return { ...source, clientUserId, how, person, failure: messageOf(error) };
    }
  };
  return [
    await send(phone, 'phone SDK', (person) => syncPhone(context, api, person)),
    await send(entry, 'no account', (person) => enterByHand(context, api, person)),
  ];
}
