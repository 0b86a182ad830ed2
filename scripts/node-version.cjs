const MIN_MAJOR = 20;
const MIN_MINOR = 19;

/** Loads the rest only on a Node that can read it. */
exports.requireNode = (load) => {
  const parts = process.versions.node.split(".").map(Number);
  if (parts[0] < MIN_MAJOR || (parts[0] === MIN_MAJOR && parts[1] < MIN_MINOR)) {
    console.error(
      "Belay needs Node 20.19 or newer; this is Node " +
        process.versions.node +
        ". Install a newer one from nodejs.org and try again.",
    );
    process.exit(1);
  }
  load().catch((error) => {
    console.error(error);
    process.exit(1);
  });
};
