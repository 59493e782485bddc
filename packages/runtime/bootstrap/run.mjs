// Entry point of every root script: `node run.mjs <command> [arguments]`.
// Plain JavaScript that runs on the machine's own Node (20 or newer): installs the dependencies, including the pinned Node,
// and starts the command with it.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Pulsewire needs Node 20 or newer to start; this is ${process.version}. (It then installs the Node version that it runs on.)`,
  );
  process.exit(1);
}

// Imported dynamically and without a top-level await: an older Node would fail on the syntax before printing the message above.
import('./main.mjs')
  .then(({ main }) => main(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
