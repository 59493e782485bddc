import { refreshDueTokens } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const withinMs = 15 * 60_000;
const batchMax = 200;

export const refreshTokensJob: ScheduledJob = {
  name: 'refresh_tokens',
  description: 'Refreshes access tokens that expire within 15 minutes, including those of connections that are not being pulled.',
  cron: '20 * * * * *',
  async run({ custody }, signal) {
    const tokens = await refreshDueTokens(custody, { withinMs, limit: batchMax, signal });
    return tokens > 0 ? { tokens } : undefined;
  },
};
