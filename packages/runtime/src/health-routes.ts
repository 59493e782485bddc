import type { FastifyInstance } from 'fastify';
import type { HealthReport, HealthSource } from './health.ts';
import type { MetricsRegistry } from './metrics.ts';

export interface HealthEndpoints {
  readonly health: HealthSource;
  readonly metrics: Pick<MetricsRegistry, 'render'>;
}

export interface HealthAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export const healthPaths = ['/health/live', '/health/ready', '/metrics'] as const;

function answerReport(report: HealthReport): HealthAnswer {
  const body = { status: report.ok ? 'ok' : 'unavailable', workers: report.workers, checks: report.checks };
  return { status: report.ok ? 200 : 503, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** The answer to one of `healthPaths`, whatever server carries it. */
export async function answerHealth({ health, metrics }: HealthEndpoints, path: (typeof healthPaths)[number]): Promise<HealthAnswer> {
  if (path === '/health/live') return answerReport(health.live());
  if (path === '/health/ready') return answerReport(await health.ready());
  return { status: 200, ...(await metrics.render()) };
}

/** Mounts the health endpoints into a server that exists anyway, such as the API's; they stay out of its OpenAPI document. */
export function healthRoutes(app: FastifyInstance, endpoints: HealthEndpoints): void {
  for (const path of healthPaths) {
    // `hide` belongs to @fastify/swagger, which this package does not know.
    const schema: Record<string, unknown> = { hide: true };
    app.get(path, { schema, logLevel: 'silent' }, async (_request, reply) => {
      const answer = await answerHealth(endpoints, path);
      return reply.code(answer.status).type(answer.contentType).header('cache-control', 'no-store').send(answer.body);
    });
  }
}
