import type { FastifyInstance } from 'fastify';
import type { HealthReport, HealthSource } from './health.ts';
import { buildInfo } from '../process/build-info.ts';
import type { MetricsRegistry } from '../metrics/metrics.ts';

export interface HealthEndpoints {
  readonly health: HealthSource;
  readonly metrics: Pick<MetricsRegistry, 'render'>;
}

export interface HealthResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export const healthPaths = ['/health/live', '/health/ready', '/metrics'] as const;

function renderReport(report: HealthReport): HealthResponse {
  const status = report.isDegraded ? 'degraded' : report.ok ? 'ok' : 'unavailable';
  const body = { status, ...buildInfo, workers: report.workers, checks: report.checks };
  return { status: report.ok ? 200 : 503, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** The response to one of `healthPaths`, on any server. */
export async function respondHealth({ health, metrics }: HealthEndpoints, path: (typeof healthPaths)[number]): Promise<HealthResponse> {
  if (path === '/health/live') return renderReport(health.live());
  if (path === '/health/ready') return renderReport(await health.ready());
  return { status: 200, ...(await metrics.render()) };
}

/**
 * Mounts `/health/live` and `/health/ready` into a public server, for its load balancer. Their response is only the status: workers, checks
 * and metrics are for operators and are served by the health server, on an address of its own. Not part of the OpenAPI document.
 */
export function publicHealthRoutes(app: FastifyInstance, health: HealthSource): void {
  for (const path of ['/health/live', '/health/ready'] as const) {
    // `hide` belongs to @fastify/swagger, on which this package does not depend.
    const schema: Record<string, unknown> = { hide: true };
    app.get(path, { schema, logLevel: 'silent' }, async (_request, reply) => {
      const { ok } = path === '/health/live' ? health.live() : await health.ready();
      return reply
        .code(ok ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: ok ? 'ok' : 'unavailable' });
    });
  }
}
