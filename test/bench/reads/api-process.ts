import { compose } from '@pulsewire/service-api';
import { apiConfig } from './open-bench.ts';

// The API alone in a process, so that its memory and its CPU can be told from those of the clients.
const [, , databaseUrl = ''] = process.argv;
const api = await compose(apiConfig(databaseUrl), { migrate: false });
const { url } = await api.listen();
process.send?.(url);
process.once('disconnect', () => void api.close().then(() => process.exit(0)));
