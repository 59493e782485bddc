import type { TestProject } from 'vitest/node';
import { startTestServer } from '@pulsewire/database/testing';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
    postgresMajor: number;
  }
}

/** One Postgres per run: the one in DATABASE_URL, else the embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer({ url: process.env['DATABASE_URL'] });
  project.provide('adminUrl', server.adminUrl);
  project.provide('template', server.template);
  project.provide('postgresMajor', server.majorVersion);
  return () => server.stop();
}
