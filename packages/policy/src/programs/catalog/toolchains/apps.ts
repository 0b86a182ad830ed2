import { defineProgram } from "../../define-program.ts";

/** Languages for phones and desktops. */
export const APPS = [
  defineProgram({
    names: "swift swiftc flutter dart fvm",
    does: "work",
    isOpen: true,
    options:
      "-c: --configuration: --package-path:d --filter: -o:w --output:w --target: -d: --release --debug --coverage",
    operands: "read",
    verbs: {
      "test build run analyze format fix compile gen-l10n doctor devices bundle drive assemble": {
        does: "work",
        operands: "read",
      },
      package: {
        does: "change",
        operands: "value",
        verbs: {
          "describe show-dependencies dump-package resolve tools-version": "work",
          "update init edit reset purge-cache clean": "change",
        },
      },
      pub: {
        does: "install",
        operands: "value",
        verbs: {
          get: "restore",
          "deps outdated": "read",
          "add remove upgrade global downgrade": "install",
          publish: "publish",
          run: "work",
        },
      },
      "package-registry": { does: "change", operands: "value", verbs: { publish: "publish" } },
      "create upgrade channel config install precache downgrade": { does: "install", operands: "value" },
      clean: "change",
    },
    runs: ["swift test", "flutter test", "dart format lib", "flutter analyze", "dart pub get", "swift build"],
    asks: ["flutter pub publish", "dart pub add x", "flutter upgrade"],
  }),
  defineProgram({
    names: "xcbeautify xcpretty",
    does: "read",
    isOpen: true,
    options: "-o:w --output:w --report: --report-path:w -r: -q -f:c --formatter:c",
    operands: "value",
    runs: ["swift build | xcbeautify"],
    asks: ["xcpretty -f /tmp/x.rb"],
  }),
  defineProgram({
    names: "adb",
    does: "change",
    options: "-s: -d -e -t: -H:h -P: -L:",
    operands: "value",
    verbs: {
      "devices version help get-state get-serialno get-devpath": { does: "read", operands: "value", options: "-l" },
      logcat: {
        does: "read",
        operands: "value",
        options: "-d -t: -T: -v: -b: -s -e: -m: --pid: --regex: -c=destroy -f:=change",
      },
    },
    runs: ["adb devices -l", "adb logcat -d -t 200 '*:E'"],
    asks: ["adb install app.apk", "adb shell ls", "adb logcat -c"],
  }),
];
