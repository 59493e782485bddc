/** Postgres notifications for dispatchers: the id of an endpoint that got rows, or `replays`. Who misses one looks within seconds. */
export const webhookChannel = 'pulsewire_webhooks';
export const replaysChanged = 'replays';
