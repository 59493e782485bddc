/** Sends one request, such as a handshake, and reads the response; undefined when there was none in time. */
export async function requestAddress(
  url: string,
  options: {
    readonly method?: 'GET' | 'HEAD' | 'POST';
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly deadlineMs?: number;
  } = {},
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  const { method = 'GET', query = {}, headers = {}, body, deadlineMs = 10_000 } = options;
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  try {
    const response = await fetch(target, {
      method,
      headers: { connection: 'close', ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(deadlineMs),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}
