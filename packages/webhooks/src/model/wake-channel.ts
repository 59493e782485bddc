/**
 * Postgres notifications for dispatchers: the id of an endpoint that got rows, or `replays`. A dispatcher that misses one polls within
 * seconds.
 */
export const webhookChannel = 'pulsewire_webhooks';
export const replaysChanged = 'replays';
