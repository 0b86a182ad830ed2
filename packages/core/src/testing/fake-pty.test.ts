import { describePty } from "./contracts/pty-contract.ts";
import { FakePty } from "./fake-pty.ts";

describePty("FakePty", async (events) => {
  const pty = new FakePty({ argv: ["/fake"], cwd: "/", env: {}, cols: 80, rows: 24 }, events);
  return {
    pty,
    print: (text) => pty.print(text),
    exit: (exitCode) => pty.exit(exitCode),
    fill: (bytes) => pty.write(bytes),
  };
});
