import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

/** Circuits: synthesis, simulation and checks. What programs a device is not here. */
export const HARDWARE = [
  defineProgram({
    names: "icetime icebram ecppack ecppll gowin_pack sv2v svlint svls slang surelog cocotb-config",
    does: "work",
    isOpen: true,
    options: "-o:w -w:w --write:w -d: -p:r -P: -t -m -E -I:r -D: -f:r -c:c --config:c -M:c",
    operands: "read",
    runs: [
      "icetime -d hx8k top.asc",
      "sv2v -w build/all.v src/top.sv",
      "svlint src/top.sv",
      "cocotb-config --libpython",
    ],
    asks: ["sv2v -w ~/x.v src/top.sv", "svlint -c /tmp/x.toml src/top.sv", "slang /tmp/x.sv"],
  }),
  defineProgram({
    names: "fusesoc",
    does: "change",
    isOpen: true,
    options: "--cores-root:d --config:c --target: --tool: --build-root:w --work-root:w",
    operands: "value",
    verbs: {
      run: { does: "work", operands: "value" },
      "core-info core-show core gen library": {
        does: "change",
        operands: "value",
        verbs: { "list show": { does: "read", operands: "value" } },
      },
      "list-cores": { does: "read", operands: "value" },
    },
    runs: ["fusesoc run --target=sim my_core", "fusesoc core list"],
    asks: ["fusesoc library add x https://example.com/x", "fusesoc --cores-root /tmp/x run a"],
  }),
  defineProgram({
    names: "vivado quartus_sh quartus_map quartus_fit quartus_asm quartus_sta xelab xvlog xvhdl xsim",
    does: "code",
    hasSingleDashLong: true,
    options:
      "-mode: -source:c -journal:w -log:w -nojournal -nolog -notrace -tclargs -t:c --flow: -s -q --64bit -sv -work: -prj:r -top: -debug: -snapshot: -runall -R -version --version",
    operands: "read",
    stopsAtOperand: true,
    // Without a script it opens a window or a prompt.
    check: (use) => {
      if (has(use, "-version", "--version")) return "read";
      const isScripted = has(use, "-source", "-t", "--flow", "-runall", "-R") || /^(?:x|quartus_[mfa])/.test(use.name);
      const isBatch = use.name !== "vivado" || use.options.some(({ value }) => value?.text === "batch");
      return isScripted && isBatch ? "work" : null;
    },
    runs: ["vivado -mode batch -source build.tcl", "quartus_sh --flow compile top", "xvlog -sv src/top.sv"],
    asks: ["vivado", "vivado -mode tcl", "vivado -mode batch -source /tmp/x.tcl", "quartus_sh -s"],
  }),
];
