import { listSimulatedProviders, removeSimulatedConnections } from '@pulsewire/connections';
import { dropSchedule, forgetAppSubscriptions } from '@pulsewire/ingest';
import type { AdminCommand } from '../command/command.ts';

export const demoCommands: readonly AdminCommand[] = [
  {
    name: 'demo remove',
    usage: '',
    about: "delete the connections to the demo's simulators, so that the installation can run without the demo; stored data are kept",
    async run({ database, clock, print }) {
      const providers = await listSimulatedProviders(database);
      if (providers.length === 0) return print('No provider is simulated.');
      await forgetAppSubscriptions(database, providers);
      const removed = await removeSimulatedConnections(database, {
        clock,
        onDeregistered: (tx, connection) => dropSchedule(tx, connection.connectionId),
      });
      print(`Deleted ${removed} connections to simulators of: ${providers.join(', ')}. The installation can now run with DEMO=off.`);
    },
  },
];
