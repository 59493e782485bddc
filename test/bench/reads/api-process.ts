import { compose } from '@pulsewire/service-api';
import { apiConfig } from './open-bench.ts';

// Only the API, in a separate process, so that its memory and CPU can be separated from those of the clients.
const [, , databaseUrl = ''] = process.argv;
const api = await compose(apiConfig(databaseUrl), { checksDatabase: false });
const { url } = await api.listen();
process.send?.(url);
process.once('disconnect', () => void api.close().then(() => process.exit(0)));
