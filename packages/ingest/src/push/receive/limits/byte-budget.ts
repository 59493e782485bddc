import { AppError } from '@pulsewire/kernel';

/** The bytes of one body that are in memory. */
export interface ByteReservation {
  /** Counts more bytes. Throws AppError `push_capacity_exceeded` when the process or the provider holds its maximum. */
  add(bytes: number): void;
  /** Releases bytes that are no longer in memory. */
  remove(bytes: number): void;
  /** Releases the rest. */
  release(): void;
}

/** A bound on the bytes of bodies that one process holds in memory, in total and for each provider. */
export interface ByteBudget {
  /** Nothing is counted yet: a sender that only announces a body takes nothing from others. */
  open(provider: string): ByteReservation;
}

const retryAfterMs = 5000;

/** A budget in bytes. A provider that uses up its share leaves the rest to the others. */
export function createByteBudget({
  bytesMax,
  providerBytesMax,
}: {
  readonly bytesMax: number;
  readonly providerBytesMax: number;
}): ByteBudget {
  const byProvider = new Map<string, number>();
  let total = 0;
  return {
    open(provider) {
      let held = 0;
      const change = (bytes: number) => {
        held += bytes;
        total += bytes;
        const left = (byProvider.get(provider) ?? 0) + bytes;
        if (left === 0) byProvider.delete(provider);
        else byProvider.set(provider, left);
      };
      return {
        add(bytes) {
          if (total + bytes > bytesMax || (byProvider.get(provider) ?? 0) + bytes > providerBytesMax)
            throw new AppError({
              code: 'push_capacity_exceeded',
              kind: 'unavailable',
              message: 'Too many bodies are being received; retry later',
              retryable: true,
              retryAfterMs,
            });
          change(bytes);
        },
        remove: (bytes) => change(-Math.min(bytes, held)),
        release: () => change(-held),
      };
    },
  };
}
