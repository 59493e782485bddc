import type { ApiHarness, Caller } from '../../api/support/harness.ts';

/** A part of a multipart body; files have a content of bytes. */
export type Part = readonly [name: string, content: string | Uint8Array, type?: string | undefined];

/** The part of a file. */
export const file = (content: Uint8Array, type?: string): Part => ['file', content, type];

/** Uploads a report as a client would. */
export async function uploadReport({ api }: ApiHarness, parts: readonly Part[], caller: Caller) {
  const boundary = 'x-pulsewire-boundary';
  const body = Buffer.concat([
    ...parts.flatMap(([name, content, type]) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${typeof content === 'string' ? '' : '; filename="a"'}\r\n`,
      ),
      Buffer.from(type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'x-service-api-key': caller.key };
  const response = await api.app.inject({ method: 'POST', url: '/lab_report/v1/parser/job', headers, payload: body });
  return { status: response.statusCode, body: JSON.parse(response.payload) };
}
