import { defineProgram } from "../../define-program.ts";

/** Game engines, which run the project's own scripts. */
export const ENGINES = [
  defineProgram({
    names: "godot godot4 godot-mono godot-headless",
    does: "work",
    isOpen: true,
    options:
      "-s:c --script:c --path:d --scene:r --main-pack:c --headless --import --check-only --quit --quit-after: --build-solutions -q -d --debug -v --verbose -e=change --editor=change -p=change --project-manager=change --export-release: --export-debug: --export-pack: --log-file:w --write-movie:w --doctool?w --gdextension-docs --remote-fs:h --remote-debug:h --remote-fs-password:=secret --display-driver: --rendering-driver: --rendering-method: --audio-driver: --fixed-fps: --main-loop: --script-editor:",
    operands: "write",
    runs: [
      "godot --headless --import",
      "godot --headless --path . -s addons/gut/gut_cmdln.gd -gdir=res://test -gexit",
      "godot --headless --export-release Linux build/game.x86_64",
    ],
    asks: [
      "godot -s /tmp/x.gd",
      "godot --path /tmp/x",
      "godot -e",
      "godot --headless --export-release Linux /home/agent/game",
      "godot --remote-fs example.com",
    ],
  }),
  defineProgram({
    names: "Unity unity-editor UnityEditor",
    does: "change",
    hasSingleDashLong: true,
    options:
      "-batchmode -nographics -quit -projectPath:d -runTests -testPlatform: -testFilter: -testCategory: -testSettingsFile:c -assemblyNames: -testResults:w -logFile:w -executeMethod: -buildTarget: -silent-crashes -accept-apiupdate -enableCodeCoverage -coverageResultsPath:w -coverageOptions: -customBuildTarget: -customBuildName: -customBuildPath:w -username:=secret -password:=secret -serial:=secret -returnlicense=change -importPackage:=install -exportPackage:=edit -cacheServerEndpoint:h",
    operands: "value",
    // Without a window it does what it is told and ends.
    check: ({ options, does }) =>
      does === "change" && options.some(({ name }) => name === "-batchmode" || name === "-runTests") ? "work" : null,
    runs: ["Unity -batchmode -projectPath . -runTests -testPlatform EditMode -testResults results.xml -logFile -"],
    asks: ["Unity", "Unity -batchmode -serial x", "Unity -batchmode -importPackage x.unitypackage"],
  }),
  defineProgram({
    names: "love love2d",
    does: "work",
    options: "--console --fused --version",
    operands: "read",
    runs: ["love .", "love src"],
    asks: ["love /tmp/x.love"],
  }),
];
