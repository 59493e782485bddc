import { STATUS_CODES } from 'node:http';

const words: Readonly<Record<string, string>> = {
  address_blocked: 'The URL resolves to an address that may not be called.',
  dns_failed: 'The name of the host could not be resolved.',
  connect_timeout: 'No connection could be established in time.',
  connect_failed: 'The host refused the connection, or cannot be reached.',
  tls_failed: 'The certificate of the host could not be verified.',
  http1_required: 'The receiver offers only HTTP/2; deliveries need HTTP/1.1.',
  headers_timeout: 'The receiver accepted the request but did not start its response in time.',
  timeout: 'The receiver did not respond in time.',
  connection_closed: 'The connection was closed before the response arrived.',
  bad_response: 'The response was not valid HTTP.',
  request_invalid: 'The request could not be sent; check the headers of the endpoint.',
  aborted: 'The attempt was interrupted on our side and will be repeated.',
  aborted_by_receiver: 'The receiver requested that this message not be sent again.',
  event_gone: 'The event is older than what is kept; there is nothing left to send.',
  body_unreadable: 'The stored event is damaged; there is nothing to send.',
  erased: 'The event was erased with its user.',
};

/** Why an attempt failed, in plain English. */
export function plainWords(status: number | null, error: string | null): string {
  if (status !== null && status >= 300 && status < 400) return `The receiver redirected (${status}); redirects are not followed.`;
  if (status === 410) return 'The receiver responded with 410 (Gone) and is sent nothing more.';
  if (status !== null)
    return `The receiver responded with ${status}${STATUS_CODES[status] === undefined ? '' : ` (${STATUS_CODES[status]})`}.`;
  return words[error ?? ''] ?? 'The attempt failed.';
}
