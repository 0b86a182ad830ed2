import { defineProgram } from "../../define-program.ts";

const READ = { does: "read", operands: "value" } as const;
const REMOTE = { does: "remote", operands: "value" } as const;

/** Boards and robots. What is written to a board cannot be brought back. */
export const EMBEDDED = [
  defineProgram({
    names: "platformio pio arduino-cli west idf.py esptool.py esptool openocd",
    does: "change",
    isOpen: true,
    options: "-e: --environment: -d:d --project-dir:d -b: --fqbn: -p: --port: -t: --target: -T:d --testsuite-root:d",
    operands: "value",
    verbs: {
      "run compile build test check size size-components size-files app bootloader menuconfig reconfigure clean fullclean set-target twister":
        {
          does: "work",
          operands: "value",
        },
      "board boards list version topdir status diff manifest": READ,
      "device system settings": {
        does: "change",
        operands: "value",
        verbs: { "list info get": "read", prune: "destroy" },
      },
      project: { does: "change", operands: "value", verbs: { "config metadata": READ } },
      "flash upload erase_flash write_flash monitor": { does: "destroy", operands: "value" },
      "lib pkg core": {
        does: "install",
        operands: "value",
        verbs: { list: READ, "search show outdated stats": REMOTE, "publish unpublish": "publish" },
      },
      "update init install": { does: "install", operands: "value" },
    },
    check: ({ name: program, options }) =>
      (program === "openocd" && options.some(({ name }) => /^(-c|--command)$/.test(name))) ||
      options.some(({ name, value }) => /^(-t|--target)$/.test(name) && /upload|erase|flash/.test(value?.text ?? ""))
        ? "destroy"
        : null,
    runs: [
      "pio run -e esp32",
      "pio test",
      "pio pkg list",
      "pio project config",
      "idf.py size-components",
      "arduino-cli compile -b x:y:z",
      "idf.py build",
      "west twister -T tests",
    ],
    asks: [
      "pio run -t upload",
      "idf.py flash",
      "west build -t flash",
      "arduino-cli lib install x",
      "pio pkg install",
      "pio pkg publish",
      "west twister -T /tmp/x",
      "openocd -f board.cfg -c 'program x.elf'",
    ],
  }),
  defineProgram({
    names: "probe-rs cargo-embed cargo-flash pyocd iceprog ecpprog openFPGALoader st-flash JLinkExe",
    does: "destroy",
    isOpen: true,
    operands: "value",
    verbs: { list: READ, chip: { does: "destroy", operands: "value", verbs: { "list info": READ } } },
    runs: ["probe-rs list", "probe-rs chip info nRF52840_xxAA"],
    asks: [
      "probe-rs run --chip x app",
      "probe-rs erase",
      "cargo-flash --chip x",
      "iceprog top.bin",
      "pyocd flash a.hex",
    ],
  }),
  defineProgram({
    names: "colcon catkin",
    does: "change",
    isOpen: true,
    options:
      "--symlink-install --merge-install --base-paths:d --build-base:w --install-base:w --test-result-base:w --packages-select: --packages-up-to: --event-handlers: --cmake-args: --mixin: --metas:c --log-base:w --executor: --parallel-workers:",
    operands: "value",
    verbs: {
      "build test test-result list graph info metadata": { does: "work", operands: "value" },
      "mixin config": { does: "change", operands: "value" },
    },
    runs: ["colcon build --packages-select arm", "colcon test --event-handlers console_direct+", "colcon list"],
    asks: ["colcon build --base-paths /tmp/x", "colcon mixin add default https://example.com/x", "colcon frob"],
  }),
  defineProgram({
    names: "ros2 rostopic rosnode rosservice rosparam rospack rosmsg",
    does: "change",
    options: "-t -v -a --all --verbose --once --no-arr --csv --field: --full-length -n: --window: -w: --show-types",
    operands: "value",
    verbs: {
      "topic node service action param lifecycle component interface pkg bag daemon": {
        does: "change",
        operands: "value",
        verbs: {
          "list info type find hz bw delay echo show proto package packages prefix executables xml get describe status":
            READ,
          delete: "destroy",
        },
      },
      "list info type find echo hz get show": READ,
      "doctor wtf": READ,
    },
    runs: [
      "ros2 topic list",
      "ros2 topic echo /odom --once",
      "ros2 pkg executables arm",
      "ros2 interface show x/msg/Y",
    ],
    asks: ["ros2 topic pub /cmd_vel x y", "ros2 param set /a b c", "ros2 launch x y", "ros2 run x y"],
  }),
];
