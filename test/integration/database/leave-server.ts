// Starts an embedded server, prints its process id, and ends without stopping it: `node leave-server.ts <folder> exits|throws`.
import { startEmbeddedServer } from '@pulsewire/database';

const [folder = '', how] = process.argv.slice(2);
const server = await startEmbeddedServer({ dataDir: folder, settings: { shared_buffers: '16MB' } });
process.stdout.write(`${server.pid}\n`);
if (how === 'throws') throw new Error('The start failed');
process.exit(1);
