/** The result of the work, or null as soon as the signal aborts; the work itself continues. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const given = Promise.withResolvers<null>();
  const giveUp = () => given.resolve(null);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, given.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
