// The front door of every root script: `node run.mjs <command> [arguments]`.
// Plain JavaScript for the Node that a machine has (20 or newer): installs what the house needs, the pinned Node
// among it, and hands over to that Node.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Pulsewire needs Node 20 or newer to start; this is ${process.version}. (It installs the Node that it runs on by itself.)`);
  process.exit(1);
}

// Imported only now, and without a top-level await: an older Node would stop at the syntax instead of showing the line above.
import('./main.mjs')
  .then(({ main }) => main(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
