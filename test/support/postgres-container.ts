import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { errorMessage } from '@pulsewire/kernel';

export interface PostgresContainer {
  /** Address of the database `postgres`, as its superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

const password = 'pulsewire';

/**
 * Starts Postgres of a major version in a container, without durability. Throws an Error with the reason when no container runtime
 * responds.
 */
export async function startPostgresContainer(majorVersion: string): Promise<PostgresContainer> {
  try {
    await getContainerRuntimeClient();
  } catch (cause) {
    throw new Error(`POSTGRES_VERSION=${majorVersion} needs Docker, which does not respond: ${errorMessage(cause)}`, { cause });
  }
  const container = await new GenericContainer(`postgres:${majorVersion}`)
    .withExposedPorts(5432)
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand([
      'postgres',
      ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=300'].flatMap((setting) => ['-c', setting]),
    ])
    // The image starts the server twice: first to initialise it.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  return {
    url: `postgres://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    async stop() {
      await container.stop();
    },
  };
}
