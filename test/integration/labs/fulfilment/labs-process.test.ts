import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { oldestDueMs } from '@pulsewire/labs';
import { processEnv } from '../../../support/process-env.ts';
import { program } from '../../../support/programs/program.ts';
import { useFulfilment } from '../support/fulfilment.ts';

const fulfilment = useFulfilment();
const main = program('services/labs/src/main.ts');

/** The service as a separate process, with the company as its only lab. */
function startProcess() {
  const { baseUrl, token, webhookSecret } = fulfilment.company;
  const env = {
    ...processEnv,
    DATABASE_URL: fulfilment.database.url,
    ENCRYPTION_KEYS: `1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
    LAB_PARTNER_URL: baseUrl,
    LAB_PARTNER_TOKEN: token,
    LAB_PARTNER_WEBHOOK_SECRET: webhookSecret,
    LAB_PARTNER_LABS: 'quest,ussl',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exited: once(child, 'exit') };
}

it('orders wait for the labs process, which places them at the lab and ends on SIGTERM', async () => {
  const order = await fulfilment.order(fulfilment.tests.walkIn);
  expect(await fulfilment.lowStatus(order.id)).toBe('ordered');
  expect(await oldestDueMs(fulfilment.database.current)).toBeGreaterThan(0);
  const { child, exited } = startProcess();
  await expect.poll(() => fulfilment.lowStatus(order.id), { timeout: 30_000 }).toBe('requisition_created');
  expect(await oldestDueMs(fulfilment.database.current)).toBe(0);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
