import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { isLocalAddress } from "../machine/local-address.ts";
import { valuesOf } from "../use.ts";

const WORK = { does: "work", operands: "value" } as const;
const PUBLISH = { does: "publish", operands: "value" } as const;

/** Chains of this machine are for tests. Any other belongs to the world. */
function chainEffect(use: ProgramUse): Effect | null {
  const chains = valuesOf(use, "--rpc-url", "-r", "--fork-url", "-f");
  return use.does !== "publish" && chains.some((address) => !isLocalAddress(address)) ? "network" : null;
}

/** Compilers, test runners and clients of blockchains. */
export const CONTRACTS = [
  defineProgram({
    names: "forge cast anvil chisel",
    does: "change",
    isOpen: true,
    options:
      "-o:w --output-dir:w --json --rpc-url: -r: --fork-url: -f: --root:d --config-path:c --private-key:=secret --mnemonic:=secret --ffi=code --ipc?w --dump-state:w --load-state:r --state:w --host: --port: -p: --accounts: -a: --balance: --block-time: -b: --chain-id: --hardfork: --gas-limit: --silent",
    operands: "value",
    verbs: {
      "build b test t compile coverage snapshot fmt lint inspect tree check geiger flatten": {
        ...WORK,
        check: chainEffect,
      },
      "abi-encode abi-decode sig sig-event keccak to-hex to-dec to-wei from-wei to-base to-unit 4byte version --version config calldata calldata-decode decode-abi to-ascii to-bytes32 format-units parse-units":
        {
          does: "read",
          operands: "value",
        },
      "call balance block block-number chain-id chain client code codesize storage tx receipt logs nonce gas-price base-fee age estimate proof implementation admin":
        {
          does: "local",
          operands: "value",
          // A tunnel is called chisel, too.
          check: (use) => (use.name === "cast" ? chainEffect(use) : use.name === "chisel" ? "publish" : "change"),
        },
      "create script send publish deploy migrate verify-contract broadcast wallet rpc": PUBLISH,
      "install remove update init": { does: "install", operands: "value" },
    },
    check: (use) => {
      if (use.name === "anvil" && use.operands.length === 0) return chainEffect(use) ?? "work";
      // `cast --to-wei 1 ether` is the older spelling of `cast to-wei`.
      return use.name === "cast" && use.verb === "" && use.options.some(({ name }) => /^--(?:to|from)-/.test(name))
        ? "read"
        : null;
    },
    runs: [
      "forge test -vvv --match-test testX",
      "forge build",
      "anvil --port 8545",
      "cast --to-wei 1 ether",
      "cast call 0x0 'x()' --rpc-url http://localhost:8545",
    ],
    asks: [
      "forge script X --broadcast",
      "forge create X",
      "cast send 0x0",
      "cast call 0x0 'x()' --rpc-url https://rpc.example.com",
      "anvil --fork-url https://rpc.example.com",
      "forge test --ffi",
      "forge install x",
      "chisel client example.com R:8080:localhost:8080",
    ],
  }),
  defineProgram({
    names: "hardhat truffle solc slither vyper anchor solana sui aptos snforge sncast starkli",
    does: "change",
    isOpen: true,
    options:
      "-o:w --output-dir:w --json:w --sarif:w --rpc-url:h --url:h -u:h --root:d --config-path:c --private-key:=secret --mnemonic:=secret --network: --fork:h",
    operands: "value",
    verbs: {
      "build b test t compile coverage fmt lint inspect tree check check-build flatten size-contracts node": WORK,
      move: {
        does: "change",
        operands: "value",
        verbs: {
          "build test compile coverage check lint fmt prove summary": WORK,
          "publish deploy upgrade run": PUBLISH,
        },
      },
      "create script send publish deploy migrate verify verify-contract broadcast wallet upgrade ignition": PUBLISH,
      "install remove update init": { does: "install", operands: "value" },
    },
    check: ({ name, operands }) =>
      /^(solc|slither|vyper)$/.test(name) && operands.every(({ text }) => !/^(\/(?!tmp\/)|~|\.\.)/.test(text))
        ? "work"
        : null,
    runs: ["hardhat compile", "hardhat node", "solc --abi A.sol", "sui move test", "snforge test"],
    asks: ["anchor deploy", "sui move publish", "aptos move run --function-id x", "hardhat ignition deploy x"],
  }),
  defineProgram({
    names: "echidna echidna-test medusa aderyn halmos kontrol myth mythril wake surya",
    does: "work",
    isOpen: true,
    options:
      "--config:c --contract: --target-contracts: --target: -o:w --output:w --corpus-dir:w --format: --rpc:h --rpc-url:h --solc-args:x --crytic-args:x",
    operands: "read",
    verbs: { "fuzz analyze a detect test build graph describe inheritance": { does: "work", operands: "read" } },
    runs: ["echidna . --contract Harness --config echidna.yaml", "medusa fuzz --config medusa.json", "aderyn ."],
    asks: [
      "echidna /tmp/x --contract Y",
      "myth analyze --rpc https://rpc.example.com a.sol",
      "echidna --config /tmp/x.yaml .",
    ],
  }),
];
