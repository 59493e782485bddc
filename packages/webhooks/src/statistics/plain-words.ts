import { STATUS_CODES } from 'node:http';

const words: Readonly<Record<string, string>> = {
  address_blocked: 'The URL leads to an address that may not be called.',
  dns_failed: 'The name of the host could not be resolved.',
  connect_timeout: 'No connection could be made in time.',
  connect_failed: 'The host refused the connection, or cannot be reached.',
  tls_failed: 'The certificate of the host could not be verified.',
  headers_timeout: 'The receiver took the request and did not begin to answer in time.',
  timeout: 'The receiver did not answer in time.',
  connection_closed: 'The connection broke before the answer was there.',
  bad_answer: 'The answer was not proper HTTP.',
  request_invalid: 'The request could not be made; check the headers of the endpoint.',
  aborted: 'The attempt was broken off on our side and is repeated.',
  aborted_by_receiver: 'The receiver asked not to be sent this message again.',
  event_gone: 'The event is older than what is kept; there is nothing left to send.',
  body_unreadable: 'The stored event is damaged; there is nothing to send.',
  erased: 'The event was erased with its user.',
};

/** Explains to a human why an attempt failed. */
export function plainWords(status: number | null, error: string | null): string {
  if (status !== null && status >= 300 && status < 400) return `The receiver redirected (${status}); redirects are not followed.`;
  if (status === 410) return 'The receiver answered 410 (Gone): it wants nothing any more.';
  if (status !== null) return `The receiver answered ${status}${STATUS_CODES[status] === undefined ? '' : ` (${STATUS_CODES[status]})`}.`;
  return words[error ?? ''] ?? 'The attempt failed.';
}
