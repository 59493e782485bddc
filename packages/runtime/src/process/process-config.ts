import { Type } from 'typebox';
import { AppError, isLoopback } from '@pulsewire/kernel';
import { defineConfig } from '../config/fields.ts';
import { foreignVariables } from '../config/load-config.ts';

/** Settings of every process; a process may override a default. */
export const processConfig = defineConfig({
  logLevel: {
    env: 'LOG_LEVEL',
    schema: Type.Enum(['debug', 'info', 'warn', 'error', 'silent'], { default: 'info' }),
    description: 'Minimum severity of log lines.',
  },
  logFormat: {
    env: 'LOG_FORMAT',
    schema: Type.Enum(['auto', 'json', 'pretty'], { default: 'auto' }),
    description: 'Format of log lines; auto is pretty at a terminal and JSON elsewhere.',
  },
  startDeadlineMs: {
    env: 'START_DEADLINE_MS',
    schema: Type.Integer({ minimum: 0, maximum: 3_600_000, default: 60_000 }),
    unit: 'ms',
    description: 'How long a starting process waits for an unavailable dependency, such as a restarting Postgres, before it exits.',
  },
  tracesEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: Type.Optional(Type.String({ format: 'base-url' })),
    description: 'OTLP/HTTP endpoint (a collector) that traces are exported to, in JSON. None: no traces are recorded.',
  },
  drainDelayMs: {
    env: 'DRAIN_DELAY_MS',
    schema: Type.Integer({ minimum: 0, maximum: 600_000, default: 0 }),
    unit: 'ms',
    description:
      'After a stop signal, how long readiness reports 503 while requests are still accepted, so that load balancers stop sending them.',
  },
  foreignVariables,
  shutdownGraceMs: {
    env: 'SHUTDOWN_GRACE_MS',
    schema: Type.Integer({ minimum: 100, maximum: 600_000, default: 20_000 }),
    unit: 'ms',
    description: 'Time to drain after a stop signal and DRAIN_DELAY_MS; then the process is killed.',
  },
});

/** For processes that accept requests: load balancers need a few probes to notice that one stops. */
export const listenerDrainConfig = defineConfig({
  drainDelayMs: {
    ...processConfig.drainDelayMs,
    schema: Type.With(processConfig.drainDelayMs.schema, { default: 5000 }),
  },
});

/** Settings of the health server, for processes that serve nothing else. */
export const healthServerConfig = defineConfig({
  healthHost: {
    env: 'HEALTH_HOST',
    schema: Type.String({ format: 'host', default: '127.0.0.1' }),
    description: 'Address of the health and metrics server.',
  },
  healthPort: {
    env: 'HEALTH_PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65_535, default: 9090 }),
    description: 'Port of the health and metrics server; 0 picks a free one.',
  },
});

interface Listening {
  readonly host?: unknown;
  readonly port?: unknown;
  readonly healthHost?: unknown;
  readonly healthPort?: unknown;
}

const isEverywhere = (host: unknown) => host === '0.0.0.0' || host === '::';

/** Throws AppError `config_invalid` when a process would listen on one port for requests and for health: only one of both can be served. */
export function checkPorts({ host, port, healthHost, healthPort }: Listening): void {
  if (typeof host !== 'string' || typeof healthHost !== 'string' || port !== healthPort || port === 0) return;
  const isSameHost =
    host === healthHost ||
    isEverywhere(host) ||
    isEverywhere(healthHost) ||
    ([host, healthHost].includes('localhost') && isLoopback(host) && isLoopback(healthHost));
  if (!isSameHost) return;
  const problems = ['HEALTH_PORT must be another port than PORT, or 0 for a free one'];
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}
