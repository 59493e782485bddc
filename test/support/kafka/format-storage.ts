import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const clusterId = '4L6g3nShT-eMCtK--X86sw';

/**
 * Prepares the empty data folder of a broker, `home/data`. Without users it needs one small file; Kafka's own tool would start a Java
 * process to write it, which takes seconds of CPU time.
 */
export async function formatStorage(
  nodeId: number,
  home: string,
  tool: {
    readonly java: readonly string[];
    readonly settingsFile: string;
    readonly scramUsers: readonly string[];
    readonly timeout: number;
  },
): Promise<void> {
  const { java, settingsFile, scramUsers, timeout } = tool;
  if (scramUsers.length > 0) {
    const users = scramUsers.flatMap((user) => ['--add-scram', user]);
    await run('java', [...java, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', settingsFile, '-g', ...users], { timeout });
    return;
  }
  const data = path.join(home, 'data');
  await mkdir(data);
  const directoryId = randomBytes(16).toString('base64url');
  await writeFile(
    path.join(data, 'meta.properties'),
    `version=1\ncluster.id=${clusterId}\nnode.id=${nodeId}\ndirectory.id=${directoryId}\n`,
  );
}
