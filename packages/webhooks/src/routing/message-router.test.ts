import { expect, it } from 'vitest';
import { silentLogger, systemClock } from '@pulsewire/kernel';
import { endpoint, logEvent } from '../testing/samples.ts';
import { MessageRouter } from './message-router.ts';

it('treats an event whose message cannot be built as unreadable, so that it does not block its shard', () => {
  const router = new MessageRouter({ clock: systemClock, logger: silentLogger, findProvider: () => undefined });
  const team = { teamId: 't', pushesHistoricalData: true, contractDate: '2026-01-01', endpoints: [endpoint()] };
  expect(router.route(logEvent(), team)).toHaveLength(1);
  const broken = logEvent({ body: undefined as never });
  expect(router.route(broken, team)).toBeNull();
  expect(router.routeUnreadable(broken, team)).toHaveLength(1);
});
