const mebibyte = 1024 * 1024;

export interface MemoryBound {
  readonly bytesMax: number;
  /** Of one team or provider. */
  readonly providerBytesMax: number;
  /** What one sender needs, however many worker processes share the bound. */
  readonly senderBytesMin: number;
}

/** Bounds on the bytes of bodies in memory, from their arrival until the response, for all worker processes of the API together. */
export const memoryBounds = {
  /** Batches of phones: those of a team are at most a third of all. */
  phones: { bytesMax: 192 * mebibyte, providerBytesMax: 64 * mebibyte, senderBytesMin: 24 * mebibyte },
  /** Reports and webhooks of lab partners: several reports of the largest size at once. */
  labs: { bytesMax: 192 * mebibyte, providerBytesMax: 64 * mebibyte, senderBytesMin: 24 * mebibyte },
  /** All other bodies that requests with keys announce: a team can have 32 of the largest at once. */
  bodies: { bytesMax: 192 * mebibyte, providerBytesMax: 32 * mebibyte, senderBytesMin: 4 * mebibyte },
  /** Pushes of providers, of which a streamed one takes about 10 MB while it arrives. */
  pushes: { bytesMax: 64 * mebibyte, providerBytesMax: 24 * mebibyte, senderBytesMin: 12 * mebibyte },
} as const satisfies Readonly<Record<string, MemoryBound>>;

/** The part of one worker process: connections are spread evenly, and one sender's largest body always fits. */
export function shareOfWorker(
  { bytesMax, providerBytesMax, senderBytesMin }: MemoryBound,
  workers: number,
): Omit<MemoryBound, 'senderBytesMin'> {
  return {
    bytesMax: Math.max(2 * senderBytesMin, Math.floor(bytesMax / workers)),
    providerBytesMax: Math.max(senderBytesMin, Math.floor(providerBytesMax / workers)),
  };
}
