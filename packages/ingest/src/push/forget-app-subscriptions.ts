import { textArray, type Executor } from '@pulsewire/database';

/** Forgets the applications' push subscriptions at these providers without asking them: for providers that were only simulated. */
export async function forgetAppSubscriptions({ sql }: Executor, providers: readonly string[]): Promise<void> {
  await sql`DELETE FROM app_subscriptions WHERE provider = ANY(${textArray(providers)}::text[])`;
}
