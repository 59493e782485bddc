import { AppError } from '@pulsewire/kernel';
import type { Connector } from '@pulsewire/providers';
import type { ConnectionFailure } from '../model/connection.ts';

/** Unknown, or of another team. */
export function connectionNotFound(): AppError {
  return new AppError({ code: 'connection_not_found', kind: 'not_found', message: 'Connection not found' });
}

/** The end of a connection whose provider has shut its interface down; names the provider that takes its place. */
export function discontinuedFailure({ name, successor }: Pick<Connector, 'name' | 'successor'>): ConnectionFailure {
  const wayOut = successor === undefined ? '' : `: the user must link ${successor} instead`;
  return { errorType: 'deregistered_per_provider', message: `${name} has shut down the interface that this connection uses${wayOut}` };
}
