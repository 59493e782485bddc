import { classifyStatuses } from '../kit/connector-defaults.ts';

/**
 * 403: the user's membership has lapsed, 426: the app on the phone is too old. Both may be temporary, and neither affects the
 * consent. A 401 may also come from a scope that was not granted; a retry with a fresh token distinguishes the two.
 */
export const classifyOura = classifyStatuses({ 403: 'provider_account_state', 426: 'provider_account_state' });
